package config

import (
	"slices"
	"strconv"

	"github.com/git-provenance/git-provenance/scanner/policy"
	"github.com/spf13/pflag"
)

// narrow lists the flags by which a repository's configuration can make a scan of it see or report less. The ledger
// lists each such setting.
var narrow = map[string]struct {
	less   func(set, usual string) bool
	effect string
}{
	"baseline":      {always, "nothing but these baselines is compared with"},
	"base":          {always, "what this code has is masked"},
	"known":         {always, "findings of these reports are allowed"},
	"origin-repo":   {always, "these repositories tell since when origins have what is found"},
	"exclude":       {always, "what matches is not scanned"},
	"min-tokens":    {greater, "shorter matches are no findings"},
	"min-score":     {greater, "matches of a lower score are no findings"},
	"max-file-size": {smaller, "larger files are not scanned"},
	"common":        {smaller, "what packages of so many owners have is ignored"},
	"max-origins":   {smaller, "further origins are not listed"},
	"no-source":     {differs, "the source text of both sides is left out"},
	"fail-on":       {laxer, "findings below this level do not fail the scan"},
}

// narrowing says how a flag's value makes a scan see less than usual, "" if it does not.
func narrowing(f *pflag.Flag, usual string) string {
	n, ok := narrow[f.Name]
	if !ok || !n.less(f.Value.String(), usual) {
		return ""
	}
	return n.effect
}

func always(_, _ string) bool        { return true }
func differs(set, usual string) bool { return set != usual }
func greater(set, usual string) bool { return number(set) > number(usual) }
func smaller(set, usual string) bool { return number(set) < number(usual) }
func laxer(set, usual string) bool {
	return slices.Index(FailLevels, set) > slices.Index(FailLevels, usual)
}

// number reads the value of a numeric flag, which has already been checked.
func number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return x
}

// Never is the level at which no finding makes a scan fail.
const Never = "never"

// FailLevels are the levels that can make a scan fail.
var FailLevels = append(slices.Clone(policy.Levels[1:]), Never)
