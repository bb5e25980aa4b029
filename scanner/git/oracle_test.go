package git

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// generated makes a repository of n commits with branches, merges, links, submodules, odd names, mode changes, reverts
// and clocks that run backwards, through git fast-import.
func generated(t testing.TB, n int, seed uint64) *testRepo {
	r := newRepo(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	names := []string{"a.go", "b/c.go", "b/d/e.go", "b-c.go", "b.go", "z/Icon\r", "q/\"quote\".c", "new\nline.py", "ü/ñ.js",
		"deep/1/2/3/4/5.c", "b/d.go", "link", "sub", "x"}
	var in bytes.Buffer
	tips := []int{}
	for mark := 1; mark <= n; mark++ {
		fmt.Fprintf(&in, "commit refs/heads/b%d\nmark :%d\n", mark, mark)
		when := 1700000000 + mark*60 + rng.IntN(7200) - 3600
		fmt.Fprintf(&in, "committer C <c@example.com> %d +0000\ndata 2\nm\n", when)
		if len(tips) > 0 && mark != n/3 { // a second root now and then
			from := tips[rng.IntN(len(tips))]
			fmt.Fprintf(&in, "from :%d\n", from)
			if rng.IntN(4) > 0 {
				tips = slices.DeleteFunc(tips, func(x int) bool { return x == from })
			}
			for range rng.IntN(4) / 2 * (1 + rng.IntN(2)) { // merges, some of them octopus
				if len(tips) > 0 {
					other := tips[rng.IntN(len(tips))]
					if other != from {
						fmt.Fprintf(&in, "merge :%d\n", other)
					}
				}
			}
		}
		tips = append(tips, mark)
		for range 1 + rng.IntN(4) {
			name := strconv.Quote(names[rng.IntN(len(names))])
			if strings.Contains(name, "ü") {
				name = "ü/ñ.js"
			}
			mode := []string{"100644", "100644", "100644", "100755", "120000"}[rng.IntN(5)]
			switch rng.IntN(8) {
			case 0:
				fmt.Fprintf(&in, "D %s\n", name)
			case 1:
				fmt.Fprintf(&in, "M 160000 %040x %s\n", 1+rng.IntN(3), name)
			default:
				body := fmt.Sprintf("%s\nversion %d\n", strings.Repeat("common line of some length\n", 20), rng.IntN(n))
				if mode == "120000" {
					body = "to " + body // git rev-list knows objects, not what they are used for
				}
				fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, name, len(body), body)
			}
		}
	}
	last := tips[len(tips)-1]
	fmt.Fprintf(&in, "reset refs/heads/main\nfrom :%d\n\n", last)
	cmd := exec.Command("git", "-c", "fastimport.unpackLimit=1000000", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.environ(), &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fast-import: %v: %s", err, out)
	}
	args := []string{"commit-tree", "main^{tree}", "-m", "all", "-p", "main"}
	for _, b := range []int{n / 2, n / 3, n - 1} {
		args = append(args, "-p", fmt.Sprintf("b%d", b))
	}
	r.git("update-ref", "refs/heads/main", r.git(args...))
	return r
}

// rawChange is a line of git's --raw output.
type rawChange struct {
	oldMode, newMode, old, new, path string
}

// parseRaw reads -z --raw output; other fields, such as commit names, are passed to header.
func parseRaw(out string, header func(string), change func(rawChange)) {
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		f := strings.TrimPrefix(fields[i], "\n")
		if !strings.HasPrefix(f, ":") {
			if f != "" {
				header(f)
			}
			continue
		}
		part := strings.Fields(f[1:])
		i++
		change(rawChange{part[0], part[1], part[2], part[3], fields[i]})
	}
}

func (c rawChange) wanted() bool {
	return strings.HasPrefix(c.newMode, "100") && !(c.old == c.new && strings.HasPrefix(c.oldMode, "100"))
}

func (c rawChange) deletes() bool {
	return strings.HasPrefix(c.oldMode, "100") && !strings.HasPrefix(c.newMode, "100")
}

// deletion is the form in which deletions are compared.
func deletion(blob, path string) string { return fmt.Sprintf("%s %q", blob, path) }

func deletions(files []File) []string {
	var out []string
	for _, f := range files {
		out = append(out, deletion(f.Blob.String(), f.Path))
	}
	return out
}

// line is the form in which both sides are compared.
func (c rawChange) line() string {
	old := c.old
	if !strings.HasPrefix(c.oldMode, "100") {
		old = Hash{}.String()
	}
	return fmt.Sprintf("%s %s %s %q", c.newMode, old, c.new, c.path)
}

func changeLine(c Change) string {
	return fmt.Sprintf("%06o %s %s %q", c.Mode, c.Old, c.Blob, c.Path)
}

// variants runs a test on the same repository with loose objects, and packed with deep chains.
func variants(t *testing.T, n int, test func(t *testing.T, r *testRepo)) {
	r := generated(t, n, 7)
	t.Run("loose", func(t *testing.T) { test(t, &testRepo{t: t, dir: r.dir}) })
	r.git("repack", "-q", "-adf", "--depth=200", "--window=20")
	r.git("prune-packed")
	t.Run("packed", func(t *testing.T) { test(t, &testRepo{t: t, dir: r.dir}) })
}

func TestHistoryAgainstGit(t *testing.T) {
	variants(t, 400, func(t *testing.T, r *testRepo) {
		byCommit := map[string][]rawChange{}
		current := ""
		out := r.git("log", "--raw", "-z", "--no-abbrev", "--no-renames", "--root", "--diff-merges=first-parent", "--format=%H", "HEAD")
		parseRaw(out, func(h string) { current = h; byCommit[h] = nil },
			func(c rawChange) { byCommit[current] = append(byCommit[current], c) })
		parents := map[string][]string{}
		for l := range strings.Lines(r.git("rev-list", "--parents", "HEAD")) {
			f := strings.Fields(l)
			parents[f[0]] = f[1:]
		}
		seen, done, yielded, last := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		for c, err := range r.open().History(context.Background(), Selection{}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			id := c.ID.String()
			for _, p := range parents[id] {
				if !done[p] {
					t.Fatalf("%s comes before its parent %s", id, p)
				}
			}
			if _, ok := byCommit[id]; !ok || done[id] {
				t.Fatalf("%s: unexpected or twice", id)
			}
			done[id] = true
			want, again, deleted := []string{}, []string{}, []string{}
			raw := slices.Clone(byCommit[id])
			slices.SortFunc(raw, func(a, b rawChange) int { return strings.Compare(a.path, b.path) })
			for _, ch := range raw {
				switch {
				case ch.deletes():
					deleted = append(deleted, deletion(ch.old, ch.path))
				case ch.wanted() && !seen[ch.new]:
					seen[ch.new] = true
					want = append(want, ch.line())
				case ch.wanted():
					again = append(again, ch.line())
				}
			}
			var got []string
			for _, ch := range c.Changes {
				got = append(got, changeLine(ch))
				yielded[ch.Blob.String()] = true
			}
			equal(t, id, got, want)
			got = nil
			for _, ch := range c.Again {
				got = append(got, changeLine(ch))
				if ch.Older {
					t.Errorf("%s: %s is said to be older than everything", id, ch.Path)
				}
			}
			equal(t, id+" again", got, again)
			equal(t, id+" deleted", deletions(c.Deleted), deleted)
			for _, p := range c.Last {
				last[p.String()] = true
			}
			for _, p := range parents[id] {
				if last[p] && !slices.ContainsFunc(c.Last, func(h Hash) bool { return h.String() == p }) {
					t.Errorf("%s comes after the last child of its parent %s", id, p)
				}
			}
		}
		if len(last) != len(done)-1 { // all but the tip
			t.Errorf("%d of %d commits had a last child", len(last), len(done))
		}
		if len(done) != len(byCommit) {
			t.Errorf("%d commits, want %d", len(done), len(byCommit))
		}
		for _, blob := range regularBlobs(r, "HEAD") {
			if !yielded[blob] {
				t.Errorf("blob %s is reachable but was not yielded", blob)
			}
		}
	})
}

// regularBlobs lists, sorted, the blobs of files, not links, in the commits of a range that are not in its boundary's.
// (git rev-list --objects is no oracle: it may leave out more when clocks run backwards.)
func regularBlobs(r *testRepo, spec string) []string {
	inside, before := map[string]bool{}, map[string]bool{}
	for _, c := range strings.Fields(r.git("rev-list", "--boundary", spec)) {
		id, excluded := strings.CutPrefix(c, "-")
		for l := range strings.SplitSeq(r.git("ls-tree", "-r", "-z", id), "\x00") {
			f := strings.Fields(l)
			switch {
			case len(f) < 3 || !strings.HasPrefix(f[0], "100"):
			case excluded:
				before[f[2]] = true
			default:
				inside[f[2]] = true
			}
		}
	}
	maps.DeleteFunc(inside, func(blob string, _ bool) bool { return before[blob] })
	return slices.Sorted(maps.Keys(inside))
}

func TestRangesAgainstGit(t *testing.T) {
	if testing.Short() {
		t.Skip("asks git about hundreds of changes")
	}
	variants(t, 150, func(t *testing.T, r *testRepo) {
		repo := r.open()
		rng := rand.New(rand.NewPCG(3, 3))
		for range 12 {
			a, b := fmt.Sprintf("b%d", 1+rng.IntN(150)), fmt.Sprintf("b%d", 1+rng.IntN(150))
			rd := repo.acquire()
			left, err := repo.resolveCommit(rd, a)
			if err != nil {
				t.Fatal(err)
			}
			right, err := repo.resolveCommit(rd, b)
			if err != nil {
				t.Fatal(err)
			}
			bases, _, err := repo.mergeBases(context.Background(), rd, left, right)
			if err != nil {
				t.Fatal(err)
			}
			repo.release(rd)
			out, _ := r.try("merge-base", "--all", a, b)
			want := strings.Fields(out)
			slices.Sort(want)
			equal(t, "merge bases of "+a+" and "+b, hashStrings(bases), want)

			for _, spec := range []string{a + ".." + b, a + "..." + b} {
				want := strings.Fields(r.git("rev-list", spec))
				slices.Sort(want)
				var got, blobs []string
				for c, err := range repo.History(context.Background(), Selection{Range: spec}, nil) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, c.ID.String())
					for _, ch := range c.Changes {
						blobs = append(blobs, ch.Blob.String())
					}
				}
				slices.Sort(got)
				slices.Sort(blobs)
				equal(t, "commits of "+spec, got, want)
				equal(t, "blobs of "+spec, blobs, regularBlobs(r, spec))
			}
			compareDiff(t, r, repo, a+".."+b, a, b)
			if len(bases) == 1 {
				compareDiff(t, r, repo, a+"..."+b, bases[0].String(), b)
			}
		}
	})
}

func hashStrings(hs []Hash) []string {
	var out []string
	for _, h := range hs {
		out = append(out, h.String())
	}
	return out
}

// compareDiff holds Diff against git diff; renames are left out on both sides.
func compareDiff(t *testing.T, r *testRepo, repo *Repo, spec, from, to string) {
	t.Helper()
	diff, err := repo.Diff(context.Background(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got, want, gone []string
	for _, c := range diff.Changes {
		if c.OldPath != c.Path {
			c.Old = Hash{}
		}
		got = append(got, changeLine(c))
	}
	parseRaw(r.git("diff", "--raw", "-z", "--no-abbrev", "--no-renames", from, to), func(string) {}, func(c rawChange) {
		if c.wanted() {
			want = append(want, c.line())
		}
		if c.deletes() {
			gone = append(gone, deletion(c.old, c.path))
		}
	})
	slices.Sort(gone)
	deleted := deletions(diff.Deleted)
	slices.Sort(deleted)
	equal(t, "deleted "+spec, deleted, gone)
	slices.SortFunc(want, func(a, b string) int { return strings.Compare(pathOf(a), pathOf(b)) })
	slices.SortFunc(got, func(a, b string) int { return strings.Compare(pathOf(a), pathOf(b)) })
	equal(t, "diff "+spec, got, want)
}

func pathOf(line string) string { return strings.SplitN(line, " ", 4)[3] }

func BenchmarkHistory(b *testing.B) {
	r := generated(b, 1000, 11)
	r.git("repack", "-q", "-adf", "--depth=50")
	for b.Loop() {
		repo := r.open() // a fresh one: no cache
		commits, changes := 0, 0
		for c, err := range repo.History(context.Background(), Selection{}, nil) {
			if err != nil {
				b.Fatal(err)
			}
			commits, changes = commits+1, changes+len(c.Changes)
		}
		b.ReportMetric(float64(commits), "commits")
		b.ReportMetric(float64(changes), "changes")
	}
}
