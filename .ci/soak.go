// Command soak is the loop of .ci/soak.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// soak is one run.
type soak struct {
	program, work string
	rnd           *rand.Rand
	repos         []*repo
	count         map[string]int
	failed        int
	writers       sync.WaitGroup // of the work tree
}

// repo is a clone with a baseline of what it held half-way through its history.
type repo struct {
	name, dir, base string
	commits         []string // of the first parents, oldest first
	digest          string   // of the baseline
	half            string   // directory with what the baseline was made of
}

func main() {
	log.SetFlags(0)
	s := &soak{count: make(map[string]int)}
	minutes := flag.Float64("minutes", 1, "how long")
	seed := flag.Uint64("seed", 1, "of the choices")
	flag.StringVar(&s.program, "program", "", "the program, built with -race")
	flag.StringVar(&s.work, "work", "", "an empty directory")
	flag.Parse()
	s.rnd = rand.New(rand.NewPCG(*seed, 0))
	start := time.Now()
	for _, dir := range flag.Args() {
		s.repos = append(s.repos, s.prepare(dir))
	}
	for time.Since(start).Minutes() < *minutes {
		s.round()
	}
	fmt.Printf("seed %d, %.1f minutes\n", *seed, time.Since(start).Minutes())
	for _, k := range slices.Sorted(maps.Keys(s.count)) {
		fmt.Printf("%7d %s\n", s.count[k], k)
	}
	fmt.Printf("%7d mismatches and failures\n", s.failed)
	if s.failed > 0 {
		os.Exit(1)
	}
}

// prepare clones a repository and indexes it as it was half-way.
func (s *soak) prepare(dir string) *repo {
	name := fmt.Sprintf("r%d", len(s.repos))
	r := &repo{name: name, dir: filepath.Join(s.work, name), base: filepath.Join(s.work, name+".base"), half: filepath.Join(s.work, name+".half")}
	must(exec.Command("git", "clone", "-q", dir, r.dir))
	r.commits = strings.Fields(must(exec.Command("git", "-C", r.dir, "rev-list", "--first-parent", "--reverse", "HEAD")))
	must(exec.Command("git", "clone", "-q", r.dir, r.half))
	must(exec.Command("git", "-C", r.half, "checkout", "-q", r.commits[len(r.commits)/2]))
	must(exec.Command("rm", "-rf", filepath.Join(r.half, ".git")))
	_, err := s.run(r, "", s.add(r, r.base)...)
	if err != nil {
		log.Fatal(err)
	}
	r.digest = s.info(r, r.base)
	fmt.Printf("%s: %s, %d commits of the first parents\n", name, filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), len(r.commits))
	return r
}

func (s *soak) add(r *repo, base string) []string {
	return []string{"baseline", "add", "--offline", "--baseline", base, "--purl", "pkg:generic/" + r.name + "@1", "--license", "MIT", r.half}
}

func (s *soak) info(r *repo, base string) string {
	out, err := s.run(r, "", "baseline", "verify", "--baseline", base)
	if err != nil {
		log.Fatal(err)
	}
	_, digest, _ := strings.Cut(string(out), ": sound: ")
	return digest
}

// round takes a range of a repository, scans it undisturbed, and then disturbed.
func (s *soak) round() {
	r := s.repos[s.rnd.IntN(len(s.repos))]
	to := 1 + s.rnd.IntN(len(r.commits)-1)
	from := max(0, to-1-s.rnd.IntN(40))
	span := r.commits[from] + ".." + r.commits[to]
	args := []string{"scan", "--baseline", r.base, "--fail-on", "never", "--format", "json"}
	kind := "--history=" + span
	if s.rnd.IntN(4) == 0 {
		kind = "--diff=" + span
	}
	args = append(args, kind)
	alone := slices.Clone(args)
	if strings.HasPrefix(kind, "--history") {
		alone = append(alone, "--no-cache")
	}
	want, err := s.run(r, "", append(alone, "--workers", "1")...)
	s.count["ranges"]++
	if err != nil {
		s.fail("undisturbed", span, err)
		return
	}
	s.count["commits in them"] += to - from
	s.count["findings in them"] += bytes.Count(want, []byte("\"cloneType\""))
	s.disturbed(r, args, span, want)
	if s.rnd.IntN(8) == 0 {
		s.killedAdd(r)
	}
}

// disturbed repeats a scan some times over one cache, with a fault each time.
func (s *soak) disturbed(r *repo, args []string, span string, want []byte) {
	cache := filepath.Join(s.work, "cache")
	defer os.RemoveAll(cache)
	for range 2 + s.rnd.IntN(4) {
		fault := s.faults()[s.rnd.IntN(len(s.faults()))]
		args := append(slices.Clone(args), "--workers", strconv.Itoa(1+s.rnd.IntN(16)))
		s.count["scans with fault: "+fault.name]++
		fault.before(r, cache, args)
		got, err := s.run(r, cache, args...)
		if fault.after != nil {
			fault.after(r)
		}
		switch {
		case err != nil:
			s.fail(fault.name, span, err)
		case !bytes.Equal(got, want):
			s.fail(fault.name, span, errors.New("another report"))
			s.keep(want, got)
		}
	}
}

// keep leaves two reports that should be equal where they can be looked at.
func (s *soak) keep(want, got []byte) {
	dir, err := os.MkdirTemp("", "soak-mismatch-")
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(dir, "want.json"), want, 0o600), os.WriteFile(filepath.Join(dir, "got.json"), got, 0o600))
	}
	fmt.Println("kept in", dir, err)
}

// fault is what is done before and after a scan.
type fault struct {
	name   string
	before func(r *repo, cache string, args []string)
	after  func(r *repo)
}

func (s *soak) faults() []fault {
	return []fault{
		{"none, other workers", func(*repo, string, []string) {}, nil},
		{"killed before", func(r *repo, cache string, args []string) { s.kill(r, cache, args) }, nil},
		{"cache file truncated", func(_ *repo, cache string, _ []string) {
			s.damage(cache, func(b []byte) []byte { return b[:s.rnd.IntN(len(b))] })
		}, nil},
		{"cache bit flipped", func(_ *repo, cache string, _ []string) {
			s.damage(cache, func(b []byte) []byte {
				b[s.rnd.IntN(len(b))] ^= 1 << s.rnd.IntN(8)
				return b
			})
		}, nil},
		{"cache file removed", func(_ *repo, cache string, _ []string) { s.damage(cache, nil) }, nil},
		{"work tree changed meanwhile", func(r *repo, _ string, _ []string) { s.scribble(r) },
			func(r *repo) {
				s.writers.Wait()
				must(exec.Command("git", "-C", r.dir, "reset", "-q", "--hard"))
			}},
	}
}

// kill starts a scan and kills it after a random time.
func (s *soak) kill(r *repo, cache string, args []string) {
	c := s.command(r, cache, args...)
	if err := c.Start(); err != nil {
		log.Fatal(err)
	}
	time.Sleep(time.Duration(s.rnd.IntN(3000)) * time.Millisecond)
	if c.Process.Kill() == nil {
		s.count["kills"]++
	}
	c.Wait() // that it was killed is the point
}

// killedAdd kills a writer of a baseline and has another one complete it.
func (s *soak) killedAdd(r *repo) {
	base := filepath.Join(s.work, "killed")
	defer os.RemoveAll(base)
	s.kill(r, "", s.add(r, base))
	s.count["baselines killed while written"]++
	if _, err := s.run(r, "", s.add(r, base)...); err != nil {
		s.fail("baseline", r.name, err)
		return
	}
	if got := s.info(r, base); got != r.digest {
		s.fail("baseline", r.name, fmt.Errorf("digest %s, not %s", got, r.digest))
	}
}

// damage changes a random file of the cache, or removes it.
func (s *soak) damage(cache string, change func([]byte) []byte) {
	var names []string
	filepath.WalkDir(cache, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return nil
	})
	if len(names) == 0 {
		return // the first scan of the range has no cache yet
	}
	name := names[s.rnd.IntN(len(names))]
	if change == nil {
		os.Remove(name)
		s.count["cache files damaged"]++
		return
	}
	if b, err := os.ReadFile(name); err == nil && len(b) > 0 && os.WriteFile(name, change(b), 0o600) == nil {
		s.count["cache files damaged"]++
	}
}

// scribble changes files of the work tree, at once and a little later.
func (s *soak) scribble(r *repo) {
	names := strings.Split(strings.TrimRight(must(exec.Command("git", "-C", r.dir, "ls-files", "-z")), "\x00"), "\x00")
	var chosen []string
	for range 20 {
		chosen = append(chosen, filepath.Join(r.dir, names[s.rnd.IntN(len(names))]))
	}
	s.count["files of the work tree changed"] += len(chosen)
	for i, name := range chosen {
		s.writers.Add(1)
		time.AfterFunc(time.Duration(i*50)*time.Millisecond, func() {
			defer s.writers.Done()
			if i%3 == 0 {
				os.Remove(name)
			} else {
				os.WriteFile(name, bytes.Repeat([]byte("changed(1);\n"), i*100), 0o600)
			}
		})
	}
}

func (s *soak) command(r *repo, cache string, args ...string) *exec.Cmd {
	if cache == "" {
		cache = filepath.Join(s.work, "nocache")
	}
	c := exec.Command(s.program, args...)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "HOME="+s.work, "XDG_CACHE_HOME="+cache, "XDG_DATA_HOME="+s.work, "GORACE=halt_on_error=1 exitcode=66", "GIT_CONFIG_NOSYSTEM=1")
	return c
}

func (s *soak) run(r *repo, cache string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	c := s.command(r, cache, args...)
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	return out, err
}

func (s *soak) fail(what, span string, err error) {
	s.failed++
	fmt.Printf("FAILED %s %s: %v\n", what, span, err)
}

func must(c *exec.Cmd) string {
	out, err := c.Output()
	if err != nil {
		log.Fatalf("%s: %v", c, err)
	}
	return string(out)
}
