package text

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestNeeds: an alignment needs fewer bits, except in languages where programs extend frameworks in similar ways.
func TestNeeds(t *testing.T) {
	aligned := score.Evidence{Derived: true, Order: 30, Terms: score.Terms{Names: 20}}
	for language, want := range map[string]float64{"go": 50, "cpp": 50, "typescript": 50, "kotlin": 50, "php": 50, "rust": 50, "scala": 50, "swift": 50, "csharp": 60, "ruby": 70} {
		q := Examined{Rules: &Rules{Derived: score.StandingDerived()}, Stream: Stream{Language: lang.ByName(language)}}
		if got := q.Needs(aligned, 70); got != want {
			t.Errorf("%s: an alignment needs %v bits, want %v", language, got, want)
		}
		if got := q.Needs(score.Evidence{}, 70); got != 70 {
			t.Errorf("%s: a match needs %v bits, want 70", language, got)
		}
	}
}

// TestFixedLists: a list of days or months is found in a text of words, and no sentence is one.
func TestFixedLists(t *testing.T) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	for text, want := range map[string]string{
		"local(@Months) = (\"XXX\", \"Jan\", \"Feb\",\n\t\"Mar\", \"Apr\", \"May\", 'Jun');\nuse Date;\n": "Jan\", \"Feb\",\n\t\"Mar\", \"Apr\", \"May\", 'Jun",
		"On Monday, Tuesday, Wednesday and Thursday it is closed; in May, June, July and August too.\n":   "",
	} {
		s, err := z.Tokenize(lang.Words(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, in := range fixedLists([]byte(text), s.Tokens) {
			got += text[in.From:in.To]
		}
		if got != want {
			t.Errorf("%q: list %q, want %q", text, got, want)
		}
	}
}
