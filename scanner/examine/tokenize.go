package examine

import (
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// tokenizer makes streams of contents, one after the other.
type tokenizer struct {
	tz *lang.Tokenizer
	o  Options
}

// tokenize returns the stream of a text. The word front-end reads it if the parse is given up.
func (r *tokenizer) tokenize(in Input, data []byte) (Stream, []finding.Entry) {
	st := Stream{Path: in.Path, Language: in.Language, Text: data, File: data}
	note := func(r lang.Reason, detail string) []finding.Entry {
		return []finding.Entry{{Path: in.Path, Reason: r, Detail: detail}}
	}
	var entries []finding.Entry
	if int64(len(data)) > r.o.MaxFileSize {
		return st, note(lang.TooLarge, fmt.Sprintf("%d bytes, limit %d", len(data), r.o.MaxFileSize))
	}
	if st.Language != nil {
		st.Text = lang.Text(in.Path, data)
	} else {
		d := lang.Detect(in.Path, data)
		st.Text = d.Text
		if d.Skip != "" && !(d.Generated && r.o.Generated && d.Language != nil) {
			return st, note(d.Skip, "")
		}
		st.Language = d.Language
		if d.Note != "" {
			entries = note(d.Note, d.Reading())
		}
	}
	toks, l, limit, err := r.tz.TokenizeOrWords(st.Language, st.Text)
	st.Language = l
	if limit != nil {
		entries = append(entries, finding.Entry{Path: in.Path, Reason: limit.Reason, Detail: limit.Detail + "; scanned as words"})
	}
	if err != nil {
		return st, append(entries, finding.Entry{Path: in.Path, Reason: lang.Budget, Detail: err.Error()})
	}
	if toks.Errors > 0 {
		entries = append(entries, finding.Entry{Path: in.Path, Reason: finding.ReasonParseErrors, Detail: finding.Count(toks.Errors, "syntax error") + "; nearby tokens may differ from those of the origin"})
	}
	st.Tokens = toks.Tokens
	if lang.IsSphinxSettings(in.Path, st.Text) {
		st.Tokens = ofFunctions(st.Text, toks.Tokens)
	}
	st.Lines = lang.Lines(st.Text)
	return st, entries
}

// ofFunctions returns the tokens of the functions and classes of a Python text. The rest of the settings of Sphinx is a form that
// everybody fills in.
func ofFunctions(data []byte, toks []lang.Token) (out []lang.Token) {
	own := false
	for _, t := range toks {
		if t.Start == 0 || data[t.Start-1] == '\n' {
			word := string(data[t.Start:t.End])
			own = word == "def" || word == "class" || word == "async" || word == "@" || own && word == ")"
		}
		if own {
			out = append(out, t)
		}
	}
	return out
}
