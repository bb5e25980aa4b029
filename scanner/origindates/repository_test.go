package origindates

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// other is a file without the region.
const other = "package a\n\nfunc f() {}\n"

// halves of the region, by lines
var (
	regionLines = strings.SplitAfter(region, "\n")
	begun       = "package a\n\n" + strings.Join(regionLines[:4], "") + "\t\t\tout, left = append(out\n" // more than half of it, but not most
)

// history is a repository for a test.
type history struct {
	t   *testing.T
	dir string
}

// commit is a commit for a test: its author's date, the committer's date if different, the files that it writes or, if empty,
// deletes, and its tag.
type commit struct {
	date, committed string
	files           map[string]string
	tag             string
}

func historyOf(t *testing.T, commits ...commit) *history {
	h := &history{t, t.TempDir()}
	h.git(nil, "init", "-q", "-b", "main")
	for _, c := range commits {
		h.commit(c)
	}
	return h
}

func (h *history) commit(c commit) {
	for name, text := range c.files {
		at := filepath.Join(h.dir, name)
		if text == "" {
			must(h.t, os.Remove(at))
			continue
		}
		must(h.t, os.MkdirAll(filepath.Dir(at), 0o777))
		must(h.t, os.WriteFile(at, []byte(text), 0o666))
	}
	if c.committed == "" {
		c.committed = c.date
	}
	env := []string{"GIT_AUTHOR_DATE=" + c.date + "T12:00:00Z", "GIT_COMMITTER_DATE=" + c.committed + "T12:00:00Z"}
	h.git(nil, "add", "-A")
	h.git(env, "commit", "-q", "--allow-empty", "-m", "c")
	if c.tag != "" {
		h.git(env, "tag", c.tag)
	}
}

func (h *history) git(env []string, args ...string) string {
	h.t.Helper()
	return gittest.Run(h.t, h.dir, env, args...)
}

func (h *history) open() *git.Repo {
	repo, err := git.Open(h.t.Context(), h.dir, git.Options{})
	must(h.t, err)
	h.t.Cleanup(func() { repo.Close() })
	return repo
}

// at returns a commit that adds a file with the region.
func at(date string) commit {
	return commit{date: date, files: map[string]string{"a.go": code}}
}

func without(date string) commit {
	return commit{date: date, files: map[string]string{"a.go": other + "// " + date + "\n"}}
}

// datedBy dates the region by repositories of both sides, and returns the origin's side and the direction as text. target may be
// nil.
func datedBy(t *testing.T, origin, target *history, here finding.Finding, store string) string {
	t.Helper()
	return shownWith(t, reportOf(here), origin, target, store)
}

func reportOf(here finding.Finding) *finding.Report {
	rep := found("pkg:golang/a.b/c@v1.2.0", "2022-01-01")
	f := &rep.Findings[0]
	f.Introduced, f.Here, f.Renames = here.Introduced, here.Here, here.Renames
	return rep
}

func shownWith(t *testing.T, rep *finding.Report, origin, target *history, store string) string {
	t.Helper()
	o := Options{Store: store, Now: now, Baselines: []*baseline.Baseline{baselineOf(t, "pkg:golang/a.b/c@v1.2.0", map[string]string{"a.go": code})}}
	o.Source.Offline = true
	if origin != nil {
		o.Repositories = []Repository{{"clone", origin.open(), func(string) bool { return true }}}
	}
	if target != nil {
		o.Target = target.open()
	}
	must(t, Date(t.Context(), rep, o))
	f := &rep.Findings[0]
	in := f.Origins[0].First
	out := in.From + " "
	if in.Written != nil {
		out += in.Written.Format(time.DateOnly)
	} else {
		out += point(in.Absent) + " -> " + point(in.Present)
	}
	if in.Written != nil && in.Present.PURL != "" {
		out += " in " + in.Present.PURL
	}
	if in.Note != "" {
		out += ": " + in.Note
	}
	for _, e := range rep.Ledger {
		out += " [" + e.Detail + "]"
	}
	return out + " | " + f.Direction
}

// since returns a finding whose commit was made at a date.
func since(date string) finding.Finding {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	name := strings.Repeat("ab", 20)
	return finding.Finding{Introduced: &finding.Commit{Commit: name, Time: at},
		Here: &finding.Interval{Present: &finding.Point{Commit: name, Time: &at}, From: "history"}}
}

// TestNotFollowed: the scan found that too little of a region can be followed. Then the whole history of the target gives no date either:
// that of a few lines is not that of the region.
func TestNotFollowed(t *testing.T) {
	origin := historyOf(t, without("2012-01-01"), at("2014-05-01"))
	target := historyOf(t, without("2012-01-01"), at("2016-01-01"))
	for note, want := range map[string]string{"": "history 2014-05-01 | from", finding.NotFollowed: "history 2014-05-01 | unknown"} {
		rep := reportOf(finding.Finding{Here: &finding.Interval{Note: note}})
		dated := rep.Findings[0]
		dated.Introduced = &finding.Commit{Commit: target.git(nil, "rev-parse", "HEAD"), Time: time.Date(2016, 1, 1, 12, 0, 0, 0, time.UTC)}
		rep.Findings = append(rep.Findings, dated)
		same(t, note, shownWith(t, rep, origin, target, ""), want)
	}
}

// TestRepository: the history of the origin's repository shows when the package had the region, in any file. Missing data widens
// the interval and reverses no direction.
func TestRepository(t *testing.T) {
	begins := without("2012-01-01")
	for _, c := range []struct {
		name    string
		commits []commit
		here    string
		want    string
	}{
		{"there first", []commit{begins, at("2014-05-01")}, "2016-01-01", "history 2014-05-01 | from"},
		{"here first", []commit{begins, at("2014-05-01")}, "2013-01-01", "history 2014-05-01 | to"},
		{"on one day", []commit{begins, at("2014-05-01")}, "2014-05-01", "history 2014-05-01 | unknown"},
		{"the first commit", []commit{at("2014-05-01")}, "2013-01-01", "history 2014-05-01: the history begins with it | to"},
		{"a first version", []commit{begins, at("2014-05-01"), {date: "2014-06-01", tag: "v1.0.0"}, {date: "2014-07-01", tag: "v1.1.0"}}, "2016-01-01",
			"history 2014-05-01 in pkg:golang/a.b/c@v1.0.0 | from"},
		{"moved and edited", []commit{{date: "2013-01-01", files: map[string]string{"old/z.go": code + "\nfunc g() {}\n"}}, {date: "2014-01-01", files: map[string]string{"old/z.go": "", "a.go": code}}}, "2016-01-01",
			"history 2013-01-01: the history begins with it | from"},
		{"left and came back", []commit{begins, at("2013-01-01"), without("2014-01-01"), {date: "2015-01-01", files: map[string]string{"b/c.go": code}}}, "2014-06-01", "history 2013-01-01 | from"},
		{"on a file of another kind", []commit{begins, {date: "2013-01-01", files: map[string]string{"a.md": code}}, at("2014-01-01")}, "2016-01-01", "history 2014-01-01 | from"},
		{"kept by a package manager before", []commit{begins, {date: "2013-01-01", files: map[string]string{"vendor/x/a.go": code}}, at("2015-01-01")}, "2014-01-01",
			"history 2013-01-01: a package manager kept it before | unknown"},
		{"half of it before", []commit{begins, {date: "2013-01-01", files: map[string]string{"a.go": begun}}, at("2015-01-01")}, "2014-01-01", "history 2015-01-01 | unknown"},
		{"written before it was committed", []commit{begins, {date: "2013-01-01", committed: "2015-01-01", files: map[string]string{"a.go": code}}}, "2014-01-01", "history 2013-01-01 | unknown"},
		{"a clock never set", []commit{begins, {date: "1970-01-01", files: map[string]string{"a.go": code}}, without("2014-01-01")}, "2013-01-01",
			"history  2012-01-01 ->  2014-01-01: the clock of the commit was wrong | unknown"},
		{"a clock in the future", []commit{begins, {date: "2090-01-01", files: map[string]string{"a.go": code}}, without("2014-01-01")}, "2013-01-01",
			"history  2012-01-01 ->  2014-01-01: the clock of the commit was wrong | unknown"},
		{"older than its parent", []commit{begins, {date: "2008-01-01", files: map[string]string{"a.go": code}}, without("2014-01-01")}, "2011-01-01",
			"history  2012-01-01 -> v1.2.0 2022-01-01: the clock of the commit was wrong | unknown"},
		{"released before the history has it", []commit{begins, at("2023-01-01")}, "2022-06-01",
			"history - -> v1.2.0 2022-01-01: a version with it was released before the repository had it | from"},
		{"not in it", []commit{begins}, "2016-01-01",
			"baseline - -> v1.2.0 2022-01-01: only the versions of the baseline were looked at: it was not dated before, and the network is switched off; no older version is listed [a.b/c] | unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := datedBy(t, historyOf(t, c.commits...), nil, since(c.here), "")
			if c.name == "not in it" { // the registry is asked instead
				got, c.want = got[:20], c.want[:20]
			}
			same(t, c.name, got, c.want)
		})
	}
}

// TestThin: if the target's history begins with a region, an origin that had most of it by then and the rest later is not its
// source. The target's earlier code is not known.
func TestThin(t *testing.T) {
	mostly := commit{date: "2013-01-01", files: map[string]string{"a.go": "package a\n\n" + strings.Join(regionLines[:6], "")}}
	began, followed := since("2014-01-01"), since("2014-01-01")
	followed.Here.Absent = &finding.Point{Commit: strings.Repeat("cd", 20), Time: followed.Here.Present.Time}
	for _, c := range []struct {
		name    string
		here    finding.Finding
		commits []commit
		want    string
	}{
		{"the rest later", began, []commit{without("2012-01-01"), mostly, at("2015-01-01")}, "unknown"},
		{"the rest never", began, []commit{without("2012-01-01"), mostly}, "unknown"},
		{"the rest before", began, []commit{without("2012-01-01"), mostly, at("2013-06-01")}, "from"},
		{"a history from before the region", followed, []commit{without("2012-01-01"), mostly, at("2015-01-01")}, "from"},
	} {
		same(t, c.name, datedBy(t, historyOf(t, c.commits...), nil, c.here, ""), "history 2013-01-01 | "+c.want)
	}
}

// TestRepositoryKept: results are stored, and used without the repository. Another repository is read again.
func TestRepositoryKept(t *testing.T) {
	store := t.TempDir()
	h := historyOf(t, without("2012-01-01"), at("2014-05-01"))
	want := "history 2014-05-01 | from"
	same(t, "read", datedBy(t, h, nil, since("2016-01-01"), store), want)
	same(t, "kept", datedBy(t, nil, nil, since("2016-01-01"), store), want)
	h = historyOf(t, at("2013-05-01"))
	same(t, "another", datedBy(t, h, nil, since("2016-01-01"), store), "history 2013-05-01: the history begins with it | from")
}

// TestRenamedCopy: the origin is also found with the names of the copy, if it had those first.
func TestRenamedCopy(t *testing.T) {
	old := strings.NewReplacer("merge", "blend", "left", "rows", "right", "cols").Replace(code)
	f := since("2014-06-01")
	for from, to := range map[string]string{"merge": "blend", "left": "rows", "right": "cols"} {
		f.Renames = append(f.Renames, finding.Rename{Origin: from, Target: to, Count: 9})
	}
	h := historyOf(t, without("2012-01-01"), commit{date: "2013-01-01", files: map[string]string{"a.go": old}}, at("2015-01-01"))
	same(t, "renamed there", datedBy(t, h, nil, f, ""), "history 2013-01-01 | from")
	f.Renames = nil
	same(t, "without the names", datedBy(t, h, nil, f, ""), "history 2015-01-01 | to")
}

// TestSharedHistory: dates cannot show whether a fork or its parent made code that both have by one commit.
func TestSharedHistory(t *testing.T) {
	parent := historyOf(t, without("2012-01-01"), at("2014-05-01"))
	fork := &history{t, t.TempDir()}
	parent.git(nil, "clone", "-q", parent.dir, fork.dir)
	fork.commit(commit{date: "2019-01-01", files: map[string]string{"z.go": other}})
	parent.commit(commit{date: "2020-01-01", files: map[string]string{"y.go": other}})
	for what, sides := range map[string][2]*history{"fork": {fork, parent}, "parent": {parent, fork}} {
		f := since("2014-05-01")
		f.Introduced.Commit = sides[0].git(nil, "rev-list", "--max-parents=1", "--reverse", "HEAD")[:40]
		rep := reportOf(f)
		same(t, what, shownWith(t, rep, sides[1], sides[0], ""), "history 2014-05-01 | unknown")
		if reason := rep.Findings[0].DirectionReason; !strings.Contains(reason, "shared history") {
			t.Error(reason)
		}
	}
	// rewritten commits have other names and the same dates
	rewritten := historyOf(t, without("2012-01-01"), commit{date: "2014-05-01", files: map[string]string{"a.go": code, "LICENSE": "x\n"}})
	f := since("2014-05-01")
	same(t, "rewritten", datedBy(t, rewritten, parent, f, ""), "history 2014-05-01 | unknown")
}

// TestScript: a script whose name has no extension is found in the history of its repository.
func TestScript(t *testing.T) {
	script := "#!/usr/bin/env node\n\n" + strings.NewReplacer("func", "function", "left, right []int) []int", "left, right)", "out := make([]int, 0, len(left)+len(right))", "const out = []",
		"for len(left) > 0 && len(right) > 0 ", "while (left.length && right.length) ", "if left[0] <= right[0] ", "if (left[0] <= right[0]) ",
		"out, left = append(out, left[0]), left[1:]", "out.push(left[0]), left.shift()", "out, right = append(out, right[0]), right[1:]", "out.push(right[0]), right.shift()",
		"out = append(out, left...)", "out.push(...left)", "append(out, right...)", "out.concat(right)").Replace(region)
	origin := historyOf(t, without("2012-01-01"), commit{date: "2014-05-01", files: map[string]string{"bin/merge": script}})
	rep := found("pkg:github/a/c@v1.2.0", "2022-01-01")
	o := &rep.Findings[0].Origins[0]
	o.Path, o.SHA256 = "bin/merge", fmt.Sprintf("%x", sha256.Sum256([]byte(script)))
	options := Options{Now: now, Repositories: []Repository{{"clone", origin.open(), func(string) bool { return true }}},
		Baselines: []*baseline.Baseline{baselineOf(t, "pkg:github/a/c@v1.2.0", map[string]string{"bin/merge": script})}}
	options.Source.Offline = true
	must(t, Date(t.Context(), rep, options))
	if in := o.First; in == nil || in.Written == nil || in.Written.Format(time.DateOnly) != "2014-05-01" {
		t.Errorf("%+v", in)
	}
}

// TestSplitOff: a repository that was split off by rebasing has its parent's commits under other names and with later dates of the
// committer. Its authors' dates are those of the parent, so neither side accuses the other.
func TestSplitOff(t *testing.T) {
	parent := historyOf(t, without("2012-01-01"), at("2014-05-01"), commit{date: "2016-01-01", files: map[string]string{"y.go": other}})
	split := historyOf(t, commit{date: "2012-01-01", committed: "2019-06-01", files: map[string]string{"z.go": other}},
		commit{date: "2014-05-01", committed: "2019-06-02", files: map[string]string{"a.go": code}})
	for what, c := range map[string]struct {
		target, origin *history
		commit, here   string
	}{
		"split":  {split, parent, "HEAD", "2019-06-02"},
		"parent": {parent, split, "HEAD~1", "2014-05-01"},
	} {
		f, present := since("2014-05-01"), since(c.here).Introduced.Time
		f.Introduced.Commit = c.target.git(nil, "rev-parse", c.commit)[:40]
		f.Here.Present = &finding.Point{Commit: f.Introduced.Commit, Time: &present}
		same(t, what, datedBy(t, c.origin, nil, f, ""), "history 2014-05-01 | unknown")
		same(t, what+", read", datedBy(t, c.origin, c.target, f, ""), "history 2014-05-01 | unknown")
	}
}

// TestRetrace: the target's side is read like the origin's, so that a region that left and came back in another file keeps its
// age.
func TestRetrace(t *testing.T) {
	origin := historyOf(t, without("2012-01-01"), at("2014-05-01"))
	target := historyOf(t, commit{date: "2011-01-01", files: map[string]string{"old.go": code}}, commit{date: "2011-02-01", files: map[string]string{"old.go": "", "y.go": other}},
		commit{date: "2016-01-01", files: map[string]string{"x.go": code}})
	f := since("2016-01-01")
	f.Introduced.Commit = target.git(nil, "rev-parse", "HEAD")
	same(t, "followed", datedBy(t, origin, nil, f, ""), "history 2014-05-01 | from")
	rep := reportOf(f)
	same(t, "read", shownWith(t, rep, origin, target, ""), "history 2014-05-01 | to")
	if in := rep.Findings[0].Introduced; in.Time.Year() != 2011 || in.Path != "old.go" {
		t.Errorf("%+v", in)
	}
	// a report of another repository
	f.Introduced.Commit = strings.Repeat("12", 20)
	same(t, "another", datedBy(t, origin, target, f, ""), "history 2014-05-01 | from")
}

// TestReturned: a program had the region in a file that it deleted, and has it again at another path. No history of the origin is at
// hand, only versions.
func TestReturned(t *testing.T) {
	old := func(date, name, text string) commit {
		return commit{date: date, files: map[string]string{"old/" + name: text}}
	}
	for name, c := range map[string]struct {
		old  []commit
		want string
	}{
		"it was here first":                  {[]commit{old("2011-01-01", "x.go", other), old("2012-01-01", "x.go", code), old("2013-01-01", "x.go", "")}, "unknown"},
		"it was there first":                 {[]commit{old("2011-01-01", "x.go", other), old("2015-01-01", "x.go", code), old("2015-02-01", "x.go", "")}, "from"},
		"it was here in a file of its own":   {[]commit{old("2011-01-01", "y.go", other), old("2012-01-01", "y.go", code), old("2013-01-01", "y.go", "")}, "from"},
		"a file of its name never had it":    {[]commit{old("2011-01-01", "x.go", other), old("2013-01-01", "x.go", "")}, "from"},
		"the history begins with the region": {[]commit{old("2012-01-01", "x.go", code), old("2013-01-01", "x.go", "")}, "unknown"},
	} {
		for _, kind := range []string{"tree", "history"} { // the history may have begun later
			target := historyOf(t, c.old...)
			target.commit(commit{date: "2016-01-01", files: map[string]string{"x.go": code}})
			f := since("2016-01-01")
			f.Introduced.Commit = target.git(nil, "rev-parse", "HEAD")
			store := t.TempDir()
			dated := func() (string, *finding.Finding) {
				rep := reportOf(f)
				rep.Target.Kind = kind
				released := time.Date(2014, 5, 1, 0, 0, 0, 0, time.UTC)
				rep.Findings[0].Origins[0].Released = &released
				shown := shownWith(t, rep, nil, target, store)
				return shown[strings.LastIndex(shown, " ")+1:], &rep.Findings[0]
			}
			got, with := dated()
			same(t, name, got, c.want)
			if from := with.Introduced.Path; (from == "old/x.go") != (c.want == "unknown") {
				t.Errorf("%s: introduced in %q", name, from)
			}
			tree := target.git(nil, "rev-parse", "HEAD~2^{tree}") // the stored result is used without it
			must(t, os.Remove(filepath.Join(target.dir, ".git", "objects", tree[:2], tree[2:])))
			got, _ = dated()
			same(t, name+", from the store", got, c.want)
		}
	}
}

// TestAnotherHistory: a program with a new history had the region in its abandoned one. So the origin may have it from here.
func TestAnotherHistory(t *testing.T) {
	origin := historyOf(t, without("2012-01-01"), at("2014-05-01"))
	for name, c := range map[string]struct {
		old  []commit
		want string
	}{
		"it was here first":  {[]commit{without("2011-01-01"), at("2013-01-01")}, "unknown"},
		"it was there first": {[]commit{without("2011-01-01"), at("2015-01-01")}, "from"},
		"it was never here":  {[]commit{without("2011-01-01")}, "from"},
	} {
		target := historyOf(t, c.old...)
		target.git(nil, "tag", "v0.9")
		target.git(nil, "checkout", "-q", "--orphan", "new")
		target.commit(commit{date: "2016-01-01", files: map[string]string{"x.go": code}})
		target.git(nil, "branch", "-q", "-D", "main")
		f := since("2016-01-01")
		f.Introduced.Commit = target.git(nil, "rev-parse", "HEAD")
		rep, store := reportOf(f), t.TempDir()
		same(t, name, shownWith(t, rep, origin, target, store), "history 2014-05-01 | "+c.want)
		if e := rep.Findings[0].Here.OtherHistory; (e != nil) != (c.want == "unknown") {
			t.Errorf("%s: %+v", name, e)
		}
		for _, tree := range []string{"v0.9", "v0.9~1"} { // the stored result is used without it
			if id, err := target.open().Resolve(t.Context(), tree); err == nil {
				tree = target.git(nil, "rev-parse", id.Name+"^{tree}")
				must(t, os.Remove(filepath.Join(target.dir, ".git", "objects", tree[:2], tree[2:])))
			}
		}
		same(t, name+", from the store", shownWith(t, reportOf(f), origin, target, store), "history 2014-05-01 | "+c.want)
		f.Introduced.Commit = strings.Repeat("12", 20)
		same(t, name+", another repository", datedBy(t, origin, target, f, ""), "history 2014-05-01 | from")
	}
}

// TestBadRepositories: an incomplete repository gives wider intervals and a note, and runs no program.
func TestBadRepositories(t *testing.T) {
	whole := historyOf(t, without("2012-01-01"), without("2013-01-01"), at("2014-05-01"), without("2015-01-01"))
	clone := func(t *testing.T, args ...string) *history {
		h := &history{t, filepath.Join(t.TempDir(), "clone")}
		whole.git(nil, append(append([]string{"-c", "protocol.file.allow=always", "clone", "-q", "--bare"}, args...), "file://"+whole.dir, h.dir)...)
		return h
	}
	shallow := "history - ->  2014-05-01: the clone is shallow: the region is as old as this commit or older | "
	same(t, "shallow, here first", datedBy(t, clone(t, "--depth=2"), nil, since("2013-01-01"), ""), shallow+"unknown")
	same(t, "shallow, there first", datedBy(t, clone(t, "--depth=2"), nil, since("2016-01-01"), ""), shallow+"from")

	lacks := clone(t)
	drop(t, lacks, "HEAD~2:a.go")
	same(t, "a content is missing", datedBy(t, lacks, nil, since("2013-01-01"), ""),
		"history - ->  2014-05-01: not every older content can be read | unknown")

	empty := historyOf(t)
	if got := datedBy(t, empty, nil, since("2013-01-01"), ""); !strings.Contains(got, `the repository "clone" cannot be read: it has no commits`) {
		t.Error(got)
	}
	broken := clone(t)
	must(t, os.RemoveAll(filepath.Join(broken.dir, "objects")))
	must(t, os.MkdirAll(filepath.Join(broken.dir, "objects"), 0o777))
	if got := datedBy(t, broken, nil, since("2013-01-01"), ""); !strings.Contains(got, `the repository "clone" cannot be read: `) || !strings.HasSuffix(got, "| unknown") {
		t.Error(got)
	}

	hostile := clone(t)
	mark := filepath.Join(t.TempDir(), "ran")
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "core.pager", "uploadpack.packObjectsHook", "core.alternateRefsCommand", "diff.external"} {
		hostile.git(nil, "config", key, "touch "+mark)
	}
	hostile.git(nil, "replace", "HEAD~1", "HEAD~3")
	must(t, os.WriteFile(filepath.Join(hostile.dir, "info", "grafts"), []byte(whole.git(nil, "rev-parse", "HEAD~1")+"\n"), 0o666))
	same(t, "hostile", datedBy(t, hostile, nil, since("2016-01-01"), ""), "history 2014-05-01 | from")
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository ran")
	}
}

// drop deletes the loose object of a revision.
func drop(t *testing.T, h *history, rev string) {
	id := h.git(nil, "rev-parse", rev)
	packs, err := filepath.Glob(filepath.Join(h.dir, "objects", "pack", "*.pack"))
	must(t, err)
	for _, p := range packs {
		moved := filepath.Join(t.TempDir(), "pack")
		must(t, os.Rename(p, moved))
		must(t, os.Remove(strings.TrimSuffix(p, ".pack")+".idx"))
		cmd := exec.Command("git", "-C", h.dir, "unpack-objects", "-q")
		in, err := os.Open(moved)
		must(t, err)
		cmd.Stdin = in
		out, err := cmd.CombinedOutput()
		in.Close()
		if err != nil {
			t.Fatal(err, string(out))
		}
	}
	must(t, os.Remove(filepath.Join(h.dir, "objects", id[:2], id[2:])))
}

// TestMovedTags: a tag that was moved names another version, and no date depends on it.
func TestMovedTags(t *testing.T) {
	h := historyOf(t, commit{date: "2012-01-01", files: map[string]string{"a.go": other}, tag: "v1.0.0"}, at("2014-05-01"), commit{date: "2015-01-01", tag: "v1.2.0"})
	same(t, "as made", datedBy(t, h, nil, since("2016-01-01"), ""), "history 2014-05-01 in pkg:golang/a.b/c@v1.2.0 | from")
	h.git(nil, "tag", "-f", "v1.0.0", "HEAD~1")
	same(t, "moved on", datedBy(t, h, nil, since("2016-01-01"), ""), "history 2014-05-01 in pkg:golang/a.b/c@v1.0.0 | from")
	h.git(nil, "tag", "-f", "v1.0.0", "HEAD:a.go")
	h.git(nil, "tag", "-f", "v1.2.0", "HEAD~2")
	must(t, os.WriteFile(filepath.Join(h.dir, ".git", "refs", "tags", "v0.9.0"), []byte(strings.Repeat("12", 20)+"\n"), 0o666))
	same(t, "of nothing with it", datedBy(t, h, nil, since("2016-01-01"), ""), "history 2014-05-01 | from")
}

func TestTags(t *testing.T) {
	for _, c := range []struct{ name, all, want string }{
		{"pkg:golang/github.com/a/b", "v1.2.3 1.4 v2.0.0 nightly v1.3.0-rc.1 release-1.9 latest b", "v1.2.3 v1.4 v2.0.0%2Bincompatible - v1.3.0-rc.1 v1.9 - -"},
		{"pkg:golang/github.com/a/b/v3", "v1.2.3 v2.0.0 v3.1.0", "a/b@v1.2.3 a/b/v2@v2.0.0 a/b/v3@v3.1.0"},
		{"pkg:golang/github.com/a/b/sub/dir", "v1.2.3 sub/dir/v0.1.0 sub/v0.3.0", "- v0.1.0 -"},
		{"pkg:npm/%40babel/core", "v7.0.0 @babel/core@7.1.0 core-v6.9.0 @babel/cli@7.0.0", "- 7.1.0 6.9.0 -"},
		{"pkg:npm/express", "4.17.1 v1.0 express-3", "- - 3"},
		{"pkg:npm/express", "4.17.1 v1.0 5.x", "4.17.1 1.0 5.x"},
		{"pkg:github/antirez/sds", "2.0.0 v1", "2.0.0 v1"},
		{"pkg:pypi/flask", "0.1 2.0.0rc1", "0.1 2.0.0rc1"},
	} {
		tags := strings.Fields(c.all)
		r := releasesOf(c.name, tags)
		var got []string
		for _, tag := range tags {
			p := r.purl(tag)
			if p == "" {
				p = "-"
			}
			if i := strings.LastIndex(p, "@"); i > 0 && !strings.Contains(c.want, "b@") {
				p = p[i+1:]
			}
			got = append(got, strings.TrimPrefix(p, "pkg:golang/github.com/"))
		}
		if fmt.Sprint(got) != fmt.Sprint(strings.Fields(c.want)) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
