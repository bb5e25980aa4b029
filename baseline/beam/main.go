package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/git-provenance/git-provenance/baseline"
	_ "github.com/git-provenance/git-provenance/baseline/shared/postgres" // baselines at postgres://
	_ "github.com/git-provenance/git-provenance/baseline/shared/s3"       // baselines at s3://
	"github.com/git-provenance/git-provenance/baseline/source"
)

func init() {
	register.Function1x2(toOne)
	register.DoFn2x1[context.Context, string, error](&sayFn{})
}

// toOne gives all elements one key, so that one worker receives all of them.
func toOne(s string) (int, string) { return 0, s }

// sayFn writes the result of a build to a file, where the command finds it with any runner.
type sayFn struct{ Config Config }

const saidName = "said"

func (f *sayFn) ProcessElement(ctx context.Context, said string) error {
	fs, err := filesystem.New(ctx, f.Config.Parts)
	if err != nil {
		return err
	}
	defer fs.Close()
	return filesystem.Write(ctx, fs, f.Config.Parts+"/"+saidName, []byte(said))
}

// pipeline adds the steps of doc.go to the pipeline.
func pipeline(s beam.Scope, c Config, lines []source.Listed) {
	texts := make([]string, len(lines))
	for i, l := range lines {
		b, err := json.Marshal(l)
		if err != nil {
			panic(err) // plain data
		}
		texts[i] = string(b)
	}
	list := beam.Reshuffle(s.Scope("List"), beam.CreateList(s, texts))
	named, lacking := beam.ParDo2(s.Scope("Open"), &openFn{Config: c}, list)
	candidates, surveyed := beam.ParDo2(s.Scope("Survey"), &surveyFn{Config: c}, beam.GroupByKey(s, named))
	readings := beam.ParDo(s.Scope("Elect"), &electFn{Config: c}, beam.GroupByKey(s, candidates))
	pieces, docs := beam.ParDo2(s.Scope("Make"), &makeFn{Config: c}, beam.GroupByKey(s, readings))
	tokens, ranges, settled := beam.ParDo3(s.Scope("Settle"), &settleFn{c}, beam.GroupByKey(s, pieces))
	sorted := beam.ParDo(s.Scope("Sort"), &sortFn{c}, beam.GroupByKey(s, ranges), beam.SideInput{Input: tokens})
	parts := beam.Flatten(s, lacking, surveyed, docs, settled, sorted)
	one := beam.GroupByKey(s, beam.ParDo(s, toOne, parts))
	said := beam.ParDo(s.Scope("Commit"), &commitFn{c}, one)
	beam.ParDo0(s.Scope("Say"), &sayFn{c}, said)
}

// build runs the pipeline for a list and returns its result.
func build(ctx context.Context, c Config, lines []source.Listed) (said Said, err error) {
	if err := c.check(); err != nil {
		return said, err
	}
	switch b, err := baseline.Open(withCache(ctx), c.Baseline); {
	case err == nil:
		c.From, c.Params = b.Digest(), b.Params()
		if err := b.Close(); err != nil {
			return said, err
		}
	default:
		if _, none := errors.AsType[*baseline.NotBaselineError](err); !none {
			return said, err
		}
		c.Params = baseline.Defaults
	}
	return carryOut(ctx, c, func(s beam.Scope, c Config) { pipeline(s, c, lines) })
}

// carryOut runs a pipeline and returns its result. It removes the files of the build.
func carryOut(ctx context.Context, c Config, draw func(beam.Scope, Config)) (said Said, err error) {
	c.Parts = strings.TrimSuffix(c.Parts, "/") + "/build-" + rand.Text()
	defer func() { err = errors.Join(err, remove(ctx, c.Parts)) }()
	p, s := beam.NewPipelineWithRoot()
	draw(s, c)
	if err := beamx.Run(ctx, p); err != nil {
		return said, err
	}
	fs, err := filesystem.New(ctx, c.Parts)
	if err != nil {
		return said, err
	}
	defer fs.Close()
	b, err := filesystem.Read(ctx, fs, c.Parts+"/"+saidName)
	if err != nil {
		return said, fmt.Errorf("read what the commit said: %w", err)
	}
	return said, json.Unmarshal(b, &said)
}

// remove removes the files of a build, including those of repeated steps.
func remove(ctx context.Context, dir string) error {
	fs, err := filesystem.New(ctx, dir)
	if err != nil {
		return err
	}
	defer fs.Close()
	names, err := fs.List(ctx, dir+"/*")
	if err != nil {
		return err
	}
	r, ok := fs.(filesystem.Remover)
	if !ok {
		return nil
	}
	var errs []error
	for _, n := range names {
		errs = append(errs, r.Remove(ctx, n))
	}
	if !strings.Contains(dir, "://") && len(names) > 0 {
		errs = append(errs, r.Remove(ctx, dir))
	}
	return errors.Join(errs...)
}

const usage = `Build a baseline of a list of sources on a cluster, or remove packages and merge.

  beam --list FILE --baseline PATH --parts DIRECTORY [--runner prism|flink|spark|dataflow …]
  beam --compact [--remove FILE] --baseline PATH --parts DIRECTORY [--runner …]

Each line of the list names a SOURCE of "git-provenance baseline add", and after tabs its
package URL, licence and release date. An archive can lie in a bucket: gs://… or s3://….
--compact leaves what "git-provenance baseline remove" and "compact" leave.

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c := Config{}
	list := flag.String("list", "", "the list of sources, - for standard input")
	merged := flag.Bool("compact", false, "merge the segments of the baseline instead, without what was removed")
	removed := flag.String("remove", "", "with --compact: a file of package URLs that are to go, one a line")
	flag.StringVar(&c.Baseline, "baseline", "", "where to commit: a directory, postgres://… or s3://…")
	flag.StringVar(&c.Parts, "parts", "", "a directory that all workers see, for the files of the build: a path, gs://… or s3://…")
	flag.IntVar(&c.Shards, "shards", 256, "in how many parts contents and fingerprints are divided; the outcome does not depend on it")
	flag.BoolVar(&c.Offline, "offline", false, "never use the network to read a source")
	flag.StringVar(&c.Cache, "downloads", "", "a directory of each worker that keeps what is downloaded")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	beam.Init()
	if (*list == "") != *merged || *removed != "" && !*merged || c.Baseline == "" || c.Parts == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *merged {
		os.Exit(runCompact(ctx, c, *removed, os.Stdout, os.Stderr))
	}
	os.Exit(run(ctx, c, *list, os.Stdout, os.Stderr))
}

// runCompact runs a compaction and returns the exit code.
func runCompact(ctx context.Context, c Config, removed string, out, complain io.Writer) int {
	err := c.check()
	if err == nil && removed != "" {
		var f *os.File
		if f, err = os.Open(removed); err == nil {
			c.Gone, err = readPackages(f)
			f.Close() // it was only read
		}
	}
	var said Said
	if err == nil {
		said, err = compact(ctx, c)
	}
	if err != nil {
		fmt.Fprintf(complain, "beam: %v\n", err)
		if e, ok := errors.AsType[*baseline.RenewError](err); ok {
			fmt.Fprintf(complain, "hint: %s\n", e.Remedy())
		}
		return 2
	}
	fmt.Fprintf(out, "packages: %d removed\nbaseline %s: %s\n", len(c.Gone), baseline.NameOf(c.Baseline), said.Digest)
	return 0
}

// run runs a build and returns the exit code: 2 if it failed or packages are missing.
func run(ctx context.Context, c Config, list string, out, complain io.Writer) int {
	lines, err := readList(list)
	if err == nil {
		var said Said
		if said, err = build(ctx, c, lines); err == nil {
			fmt.Fprintf(out, "packages: %d new or changed, %d unchanged\nfiles: %d read, %d documents new\nbaseline %s: %s\n", said.Added.Packages, said.Added.Unchanged,
				said.Added.Files, said.Added.Documents, baseline.NameOf(c.Baseline), said.Digest)
			for _, m := range said.Missing {
				fmt.Fprintf(complain, "not to be had: %q\n", m)
			}
			if len(said.Missing) == 0 {
				return 0
			}
			return 2
		}
	}
	fmt.Fprintf(complain, "beam: %v\n", err)
	return 2
}

func readList(name string) ([]source.Listed, error) {
	if name == "-" {
		return source.ReadList(name, os.Stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read list: %w", err)
	}
	defer f.Close()
	return source.ReadList(name, f)
}
