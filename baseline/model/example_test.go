package model_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// A model counts in how many directories a name occurs, which determines its information.
func Example() {
	var b model.Builder
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	for unit := range uint32(8) {
		text := fmt.Appendf(nil, "shared = rare%d + 1\n", unit)
		s, err := tz.Tokenize(lang.Words(), text)
		if err != nil {
			fmt.Println(err)
			return
		}
		b.Unit("words", unit)
		b.Add("words", unit, unit, s.Tokens, text)
	}
	m, err := model.Unmarshal(b.Model().Marshal())
	fmt.Println(m.Of("words").Units, "directories", err)
	// Output:
	// 8 directories <nil>
}
