package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/policy"
)

var today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// found makes a finding by what a policy looks at.
func found(verdict finding.Verdict, license string, change ...func(*finding.Finding)) finding.Finding {
	f := finding.Finding{ID: "f1", Path: "src/a.go", StartLine: 10, EndLine: 29, Tokens: 120, Score: 0.9, Verdict: verdict, Direction: "unknown",
		Origins: []finding.Origin{{PURL: "pkg:golang/example.org/lib@v1.2.0", License: license, SHA256: strings.Repeat("ab", 32)}}}
	for _, c := range change {
		c(&f)
	}
	return f
}

func apply(p *policy.Policy, fs ...finding.Finding) *finding.Report {
	r := &finding.Report{Target: finding.Target{Kind: "tree"}, Findings: fs}
	p.Apply(r)
	return r
}

// holder makes a person who holds the copyright of the origin bring the region.
func holder(f *finding.Finding) {
	f.Here, f.Introduced, f.Origins[0].Holders = &finding.Interval{From: finding.FromHistory}, &finding.Commit{Author: "Ada Byron <a@example.org>"}, []string{"Ada Byron"}
}

func TestDefault(t *testing.T) {
	from := func(f *finding.Finding) { f.Direction = "from" }
	to := func(f *finding.Finding) { f.Direction = "to" }
	same := func(f *finding.Finding) { f.Origins[0].SameOwner = true }
	shared := func(f *finding.Finding) { f.Origins[0].First = &finding.Interval{Shared: true} }
	fits := func(a license.Answer) func(*finding.Finding) {
		return func(f *finding.Finding) { f.Compatibility = &finding.Compatibility{Answer: a} }
	}
	// of is the answer for a licence that the target states in this way
	of := func(a license.Answer, from license.From) func(*finding.Finding) {
		return func(f *finding.Finding) {
			f.Compatibility = &finding.Compatibility{Answer: a, LicenseFrom: from}
		}
	}
	both := func(f *finding.Finding) {
		f.Compatibility = &finding.Compatibility{Answer: license.Fits, LicenseFrom: license.From{Kind: license.FromHeader, Line: 1}, Root: license.Fits}
	}
	root, folder, head := license.From{Kind: license.FromFile, Path: "LICENSE"}, license.From{Kind: license.FromFile, Path: "lib/LICENSE"}, license.From{Kind: license.FromHeader, Line: 1}
	unlikely := func(f *finding.Finding) { f.Score = 0.49 }
	unsure := func(f *finding.Finding) { f.Score = 0.89 }
	named := func(kind, path, names string) func(*finding.Finding) {
		return func(f *finding.Finding) {
			f.Score = 0.49
			f.Attributions = append(f.Attributions, finding.Notice{Kind: kind, Path: path, Line: 1, Names: names})
		}
	}
	in := func(path string) func(*finding.Finding) {
		return func(f *finding.Finding) { f.Path, f.Language = path, "text" }
	}
	for _, c := range []struct {
		f    finding.Finding
		want string
	}{
		{found(finding.Undeclared, "GPL-2.0-only", from), "error copyleft-undeclared"},
		{found(finding.Undeclared, "GPL-2.0-only"), "warning copyleft-doubtful"},
		{found(finding.LicenceStripped, "AGPL-3.0-only", from), "error copyleft-undeclared"},
		{found(finding.LicenceStripped, "AGPL-3.0-only"), "warning copyleft-doubtful"},
		{found(finding.Undeclared, "MPL-2.0", from), "error copyleft-undeclared"},
		{found(finding.Undeclared, "MPL-2.0"), "warning copyleft-doubtful"},
		{found(finding.Undeclared, "BUSL-1.1", from), "error copyleft-undeclared"},
		{found(finding.Undeclared, "BUSL-1.1"), "warning copyleft-doubtful"},
		{found(finding.Undeclared, "GPL-2.0-only OR MIT"), "warning undeclared"},
		{found(finding.Undeclared, "GPL-2.0-only AND MIT", from), "error copyleft-undeclared"},
		{found(finding.Undeclared, "GPL-2.0-only AND MIT"), "warning copyleft-doubtful"},
		{found(finding.Attributed, "GPL-2.0-only"), "warning copyleft-attributed"},
		{found(finding.Undeclared, "GPL-2.0-only", from, of(license.Fits, root)), "warning copyleft-fits"},
		{found(finding.LicenceStripped, "GPL-2.0-only", of(license.Fits, root)), "warning copyleft-fits"},
		{found(finding.Undeclared, "GPL-2.0-only", from, of(license.FitsNot, root)), "error copyleft-undeclared"},
		{found(finding.Undeclared, "GPL-2.0-only", from, of(license.Ask, root)), "error copyleft-undeclared"},
		{found(finding.Undeclared, "GPL-2.0-only", from, of(license.Fits, folder)), "error copyleft-undeclared"}, // the rest has another
		{found(finding.Undeclared, "GPL-2.0-only", from, of(license.Fits, head)), "error copyleft-undeclared"},
		{found(finding.Undeclared, "BUSL-1.1", from, of(license.Fits, root)), "error copyleft-undeclared"}, // of two companies
		{found(finding.Attributed, "GPL-2.0-only", of(license.Fits, root)), "note attributed-fits"},
		{found(finding.AttributedElsewhere, "AGPL-3.0-only", of(license.Fits, root)), "note attributed-fits"},
		{found(finding.Attributed, "GPL-2.0-only", of(license.Fits, folder)), "warning copyleft-attributed"},
		{found(finding.Attributed, "GPL-2.0-only", of(license.Fits, head)), "warning copyleft-attributed"},
		{found(finding.Attributed, "GPL-2.0-only", both), "note attributed-fits"},
		{found(finding.Undeclared, "GPL-2.0-only", from, both), "warning copyleft-fits"},
		{found(finding.Attributed, "GPL-2.0-only", of(license.Ask, root)), "warning copyleft-attributed"},
		{found(finding.Attributed, "BUSL-1.1", of(license.Fits, root)), "warning copyleft-attributed"},
		{found(finding.Attributed, "GPL-2.0-only", holder), "note holder"},
		{found(finding.Undeclared, "GPL-2.0-only", holder, from), "note holder"},
		{found(finding.Attributed, "LGPL-2.1-only"), "note attributed"},
		{found(finding.Attributed, "MIT"), "note attributed"},
		{found(finding.AttributedElsewhere, "MIT"), "note attributed-elsewhere"},
		{found(finding.AttributedElsewhere, "GPL-2.0-only"), "warning copyleft-attributed"},
		{found(finding.AttributedElsewhere, "GPL-2.0-only", unlikely), "note unlikely"},
		{found(finding.Undeclared, "MIT"), "warning undeclared"},
		{found(finding.LicenceStripped, "BSD-3-Clause"), "warning undeclared"},
		{found(finding.AttributionWrong, "MIT", from), "error attribution-wrong"},
		{found(finding.AttributionWrong, "MIT"), "warning attribution-doubtful"},
		{found(finding.AttributionWrong, "GPL-2.0-only", from), "error attribution-wrong"},
		{found(finding.AttributionWrong, "GPL-2.0-only"), "warning attribution-doubtful"},
		{found(finding.AttributionWrong, "MIT", from, unsure), "warning attribution-doubtful"},
		{found(finding.Undeclared, "GPL-2.0-only", from, unsure), "warning copyleft-doubtful"},
		{found(finding.Undeclared, "NOASSERTION"), "warning unknown-licence"},
		{found(finding.Undeclared, "CC0-1.0"), "note public-domain"},
		{found(finding.CommonCode, "GPL-2.0-only"), "ignore common"},
		{found(finding.Undeclared, "GPL-2.0-only", to), "note copied-from-here"},
		{found(finding.LicenceStripped, "MIT", to), "note copied-from-here"},
		{found(finding.Undeclared, "GPL-2.0-only", same), "note same-owner"},
		{found(finding.Undeclared, "AGPL-3.0-only", shared, fits(license.Fits)), "note shared-history"},
		{found(finding.Undeclared, "Apache-2.0", shared, fits(license.Fits)), "note shared-history"},
		{found(finding.Undeclared, "AGPL-3.0-only", shared, fits(license.FitsNot)), "warning copyleft-doubtful"}, // a fork under another licence
		{found(finding.Undeclared, "AGPL-3.0-only", shared), "warning copyleft-doubtful"},
		{found(finding.Undeclared, "AGPL-3.0-only", fits(license.Fits)), "warning copyleft-doubtful"},
		{found(finding.LicenceStripped, "AGPL-3.0-only", shared, fits(license.Fits)), "warning copyleft-doubtful"},
		{found(finding.Undeclared, "MIT", shared, fits(license.Fits)), "warning undeclared"}, // its licence file would name the holder
		{found(finding.Undeclared, "GPL-2.0-only", in("docs/CONTRIBUTING.md")), "note prose"},
		{found(finding.Undeclared, "GPL-2.0-only", in(".cursor/rules/style.mdc")), "note prose"}, // rules for an assistant
		{found(finding.Undeclared, "GPL-2.0-only", unlikely), "note unlikely"},
		{found(finding.LicenceStripped, "MIT", unlikely), "note unlikely"},
		{found(finding.AttributionWrong, "GPL-2.0-only", unlikely), "note unlikely"},         // the notice of the file's own author says nothing of a copy
		{found(finding.Attributed, "GPL-2.0-only", unlikely), "warning copyleft-attributed"}, // a notice says that it is a copy
		{found(finding.Attributed, "GPL-2.0-only", named("copied-from", "", "package")), "warning copyleft-attributed"},
		{found(finding.Attributed, "GPL-2.0-only", named("notice-file", "third_party/lib/NOTICE", "package")), "warning copyleft-attributed"},
		{found(finding.Attributed, "GPL-2.0-only", named("notice-file", "NOTICE", "package")), "note unlikely"}, // it says that the package is used somewhere
		{found(finding.Attributed, "GPL-2.0-only", named("notice-file", "debian/copyright", "holder")), "note unlikely"},
		{found(finding.Attributed, "GPL-2.0-only", named("notice-file", "NOTICE", "package"), func(f *finding.Finding) { f.Score = 0.5 }), "warning copyleft-attributed"},
		{found(finding.Attributed, "GPL-2.0-only", named("notice-file", "NOTICE", "holder"), named("copyright", "", "holder")), "warning copyleft-attributed"},
		{found(finding.Attributed, "GPL-2.0-only", named("notice-file", "NOTICE", "holder"), named("copyright", "", "other")), "note unlikely"}, // the file's own author
		{found(finding.AttributionWrong, "MIT", in("CODE_OF_CONDUCT")), "note prose"},
		{found(finding.Undeclared, "GPL-2.0-only", in("lib/parse.pl"), from), "error copyleft-undeclared"}, // code without a grammar
		{found(finding.Undeclared, "GPL-2.0-only", in("lib/parse.pl")), "warning copyleft-doubtful"},
	} {
		f := apply(policy.New(nil, nil, "", nil, today), c.f).Findings[0]
		if got := f.Level + " " + f.Rule; got != c.want {
			t.Errorf("%s of %s, direction %s: %s, want %s", c.f.Verdict, c.f.Origins[0].License, c.f.Direction, got, c.want)
		}
	}
}

// TestRule tries each condition of a rule alone.
func TestRule(t *testing.T) {
	f := found(finding.Undeclared, "GPL-2.0-or-later WITH Classpath-exception-2.0", holder)
	for _, c := range []struct {
		rule policy.Rule
		want bool
	}{
		{policy.Rule{}, true},
		{policy.Rule{License: []string{"weak-copyleft"}}, true},
		{policy.Rule{License: []string{"copyleft"}}, false},
		{policy.Rule{License: []string{"MIT", "GPL-*"}}, true},
		{policy.Rule{License: []string{"GPL-2.0-or-later"}}, true},
		{policy.Rule{License: []string{"GPL-2.0-or-later WITH Classpath-exception-2.0"}}, true},
		{policy.Rule{License: []string{"GPL-3.0-or-later"}}, false},
		{policy.Rule{Package: []string{"pkg:golang/example.org/*"}}, true},
		{policy.Rule{Package: []string{"pkg:golang/example.org/lib@v1.*"}}, true},
		{policy.Rule{Package: []string{"pkg:golang/example.org/lib@v2.*"}}, false},
		{policy.Rule{NamedIn: []string{"file", "folder", "root"}}, false}, // nothing names it
		{policy.Rule{Path: []string{"/src/"}}, true},
		{policy.Rule{Path: []string{"*.go"}}, true},
		{policy.Rule{Path: []string{"/test/", "*.c"}}, false},
		{policy.Rule{Path: []string{"*.go", "!a.go"}}, false},
		{policy.Rule{Verdict: []string{"undeclared"}}, true},
		{policy.Rule{Verdict: []string{"attributed"}}, false},
		{policy.Rule{Direction: []string{"from"}}, false},
		{policy.Rule{Kind: []string{"prose"}}, false},
		{policy.Rule{Kind: []string{"table"}}, false},
		{policy.Rule{Kind: []string{"code"}}, true},
		{policy.Rule{Owner: []string{"same"}}, false},
		{policy.Rule{Owner: []string{"holder"}}, true},
		{policy.Rule{Owner: []string{"other"}}, true}, // a holder is no owner
		{policy.Rule{History: []string{"shared"}}, false},
		{policy.Rule{History: []string{"other"}}, true},
		{policy.Rule{Compatibility: []string{"unknown"}}, true},
		{policy.Rule{Compatibility: []string{"compatible", "ask", "not-compatible"}}, false},
		{policy.Rule{MinTokens: 120}, true},
		{policy.Rule{MinTokens: 121}, false},
		{policy.Rule{MinLines: 20}, true},
		{policy.Rule{MinLines: 21}, false},
		{policy.Rule{BelowScore: 0.91}, true},
		{policy.Rule{BelowScore: 0.9}, false},
		{policy.Rule{MinLines: 20, License: []string{"MIT"}}, false},
	} {
		c.rule.Level, c.rule.Name = policy.Ignore, "mine"
		if err := c.rule.Check(); err != nil {
			t.Errorf("%+v: %v", c.rule, err)
		}
		if got := apply(policy.New([]policy.Rule{c.rule}, nil, "", nil, today), f).Findings[0].Rule == "mine"; got != c.want {
			t.Errorf("%+v fits: %v", c.rule, got)
		}
	}
}

func TestFirstRuleWins(t *testing.T) {
	rules := []policy.Rule{{Name: "a", License: []string{"MIT"}, Level: policy.Note}, {Name: "b", Level: policy.Error}, {Name: "c", Level: policy.Ignore}}
	r := apply(policy.New(rules, nil, "", nil, today), found(finding.Undeclared, "MIT"), found(finding.Undeclared, "ISC"))
	if got := r.Findings[0].Rule + r.Findings[1].Rule; got != "ab" {
		t.Errorf("rules %s", got)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		rule policy.Rule
		want string
	}{
		{policy.Rule{}, "needs a level"},
		{policy.Rule{Level: "fatal"}, `level "fatal"`},
		{policy.Rule{Level: "note", Verdict: []string{"copied"}}, `verdict "copied"`},
		{policy.Rule{Level: "note", Verdict: []string{"allowed"}}, `verdict "allowed"`},
		{policy.Rule{Level: "note", Direction: []string{"up"}}, `direction "up"`},
		{policy.Rule{Level: "note", Kind: []string{"text"}}, `kind "text"`},
		{policy.Rule{Level: "note", Package: []string{"zlib"}}, `package "zlib"`},
		{policy.Rule{Level: "note", License: []string{"copyleftish"}}, `license "copyleftish"`},
		{policy.Rule{Level: "note", License: []string{"GPL-[*"}}, `license "GPL-[*"`},
		{policy.Rule{Level: "note", License: []string{"MIT AND"}}, `license "MIT AND"`},
	} {
		if err := c.rule.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.rule, err)
		}
	}
	for _, c := range []struct {
		allow policy.Allow
		want  string
	}{
		{policy.Allow{Reason: "x"}, "needs a finding"},
		{policy.Allow{Origin: "zlib"}, `package "zlib"`},
		{policy.Allow{Content: "abc"}, "12 digits"},
		{policy.Allow{Finding: "f", Expires: "soon"}, `expires "soon"`},
	} {
		if err := c.allow.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.allow, err)
		}
	}
}

// states shows what became of suppressions.
func states(r *finding.Report) []string {
	var out []string
	for _, s := range r.Suppressions {
		out = append(out, fmt.Sprintf("%s %s:%d %s %d", s.By, s.Path, s.Line, s.State, s.Findings))
	}
	return out
}

func TestAllow(t *testing.T) {
	for _, c := range []struct {
		name    string
		allow   policy.Allow
		allowed bool
		state   string
	}{
		{"id", policy.Allow{Finding: "f1"}, true, "used 1"},
		{"another id", policy.Allow{Finding: "f"}, false, "unused 0"},
		{"origin", policy.Allow{Origin: "pkg:golang/example.org/lib"}, true, "used 1"},
		{"content", policy.Allow{Content: "sha256:abababababab"}, true, "used 1"},
		{"origin of another content", policy.Allow{Origin: "pkg:golang/example.org/lib", Content: "cdcdcdcdcdcd"}, false, "unused 0"},
		{"path", policy.Allow{Origin: "pkg:golang/example.org/*", Path: []string{"/src/"}}, true, "used 1"},
		{"another path", policy.Allow{Finding: "f1", Path: []string{"/test/"}}, false, "unused 0"},
		{"last day", policy.Allow{Finding: "f1", Expires: "2026-11-21"}, true, "used 1"},
		{"day after", policy.Allow{Finding: "f1", Expires: "2026-11-20"}, false, "expired 0"},
	} {
		c.allow.Reason, c.allow.Line = "why", 3
		r := apply(policy.New(nil, []policy.Allow{c.allow}, "conf", nil, today), found(finding.Undeclared, "GPL-2.0-only"))
		f := r.Findings[0]
		if got := f.Verdict == finding.AllowedCode && f.Level == policy.Ignore && f.Allowed.Reason == "why" && f.Allowed.By == "configuration"; got != c.allowed || r.Summary.Allowed == 1 != c.allowed {
			t.Errorf("%s: %+v", c.name, f)
		}
		if got := states(r); !slices.Equal(got, []string{"configuration conf:3 " + c.state}) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestAllowEquals: an id without a number allows every location of a text, an id with a
// number only that location.
func TestAllowEquals(t *testing.T) {
	for id, want := range map[string][]bool{"ab12": {true, true, true}, "ab12-2": {false, true, false}, "ab12-4": {false, false, false}, "ab1": {false, false, false}} {
		p := policy.New(nil, []policy.Allow{{Finding: id, Reason: "ours"}}, "conf", nil, today)
		var fs []finding.Finding
		for _, n := range []string{"", "-2", "-3"} {
			fs = append(fs, found(finding.Undeclared, "MIT", func(f *finding.Finding) { f.ID = "ab12" + n }))
		}
		for i, f := range apply(p, fs...).Findings {
			if (f.Allowed != nil) != want[i] {
				t.Errorf("allow %s: %s allowed: %v", id, f.ID, f.Allowed != nil)
			}
		}
	}
}

// TestAllowOfChange: an allowance for code that a change does not touch need not match a finding.
func TestAllowOfChange(t *testing.T) {
	r := &finding.Report{Target: finding.Target{Kind: "diff"}}
	policy.New(nil, []policy.Allow{{Finding: "f1", Line: 1}}, "conf", nil, today).Apply(r)
	if len(r.Suppressions) != 0 {
		t.Errorf("%q", states(r))
	}
}

func TestInline(t *testing.T) {
	mark := func(m attribution.Allow, covers int) finding.Inline {
		return finding.Inline{Allow: m, Path: "src/a.go", Covers: covers}
	}
	for _, c := range []struct {
		name    string
		mark    finding.Inline
		allowed bool
		state   string
	}{
		{"used", mark(attribution.Allow{Line: 9, Reason: "why"}, 1), true, "used 1"},
		{"no reason", mark(attribution.Allow{Line: 9, Err: fmt.Errorf("no")}, 1), false, "refused 0"},
		{"expired", mark(attribution.Allow{Line: 9, Reason: "why", Expires: "2020-01-01"}, 1), false, "expired 0"},
	} {
		r := &finding.Report{Target: finding.Target{Kind: "tree"}, Inline: []finding.Inline{c.mark},
			Findings: []finding.Finding{found(finding.Undeclared, "MIT", func(f *finding.Finding) { f.Inline = &c.mark })}}
		policy.New(nil, nil, "", nil, today).Apply(r)
		if f := r.Findings[0]; (f.Verdict == finding.AllowedCode) != c.allowed {
			t.Errorf("%s: %+v", c.name, f)
		}
		if got := states(r); !slices.Equal(got, []string{"inline src/a.go:9 " + c.state}) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestKnown: findings of an earlier report are not new, even if they moved; one more
// copy of the same code is.
func TestKnown(t *testing.T) {
	at := func(id, path string) finding.Finding {
		return found(finding.Undeclared, "MIT", func(f *finding.Finding) { f.ID, f.Path = id, path })
	}
	earlier := &finding.Report{Findings: []finding.Finding{at("f1", "a.go"), at("f2", "b.go")}}
	r := apply(policy.New(nil, nil, "", []policy.Known{{Name: "k.json", Report: earlier}}, today), at("f1", "0.go"), at("f1", "a.go"), at("f2", "moved.go"), at("f3", "c.go"))
	var got []string
	for _, f := range r.Findings {
		got = append(got, string(f.Verdict))
	}
	if want := []string{"undeclared", "allowed", "allowed", "undeclared"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if a := r.Findings[1].Allowed; a == nil || a.By != "known" || a.Reason != "in k.json" {
		t.Errorf("%+v", a)
	}
	if got := states(r); !slices.Equal(got, []string{"known k.json:0 used 2"}) {
		t.Errorf("%q", got)
	}
}

// FuzzLicense: every expression has a level, and no pattern makes it fail.
func FuzzLicense(f *testing.F) {
	f.Add("GPL-2.0-only OR MIT", "GPL-*")
	f.Add("((((", "[")
	f.Fuzz(func(t *testing.T, expr, pattern string) {
		rule := policy.Rule{License: []string{pattern}, Level: policy.Note}
		var rules []policy.Rule
		if rule.Check() == nil {
			rules = append(rules, rule)
		}
		f := apply(policy.New(rules, nil, "", nil, today), found(finding.Undeclared, expr)).Findings[0]
		if !slices.Contains(policy.Levels, f.Level) {
			t.Fatalf("level %q", f.Level)
		}
	})
}

// A later change of a finding changes its level, unless it is allowed.
func TestJudgeAgain(t *testing.T) {
	p := policy.New(nil, nil, "", nil, today)
	f := apply(p, found(finding.Undeclared, "GPL-2.0-only")).Findings[0]
	f.Direction = "to"
	if p.SetLevel(&f); f.Level != policy.Note || f.Rule != "copied-from-here" {
		t.Errorf("%s %s", f.Level, f.Rule)
	}
	f.Level, f.Rule, f.Allowed = policy.Ignore, "", &finding.Allowance{By: "inline"}
	if p.SetLevel(&f); f.Level != policy.Ignore || f.Rule != "" {
		t.Errorf("allowed: %s %s", f.Level, f.Rule)
	}
}
