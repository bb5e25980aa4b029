package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/units"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/git-provenance/git-provenance/scanner/report/words"
	"github.com/git-provenance/git-provenance/scanner/similar"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pairFlags are the flags of the commands that compare code with each other, not with a baseline.
type pairFlags struct {
	fingerprint.Params
	similar.Filter
	base       []string
	suffixes   []string
	minTokens  int
	workers    int
	format     string
	output     string
	verbose    bool
	sources    int
	anonymous  bool
	pseudonyms string
}

// Defaults of pairFlags.
const (
	defaultPairShare  = 0.05
	defaultGroupShare = 0.5
	defaultSources    = 200
	defaultPairs      = 10_000
	// One in thirty pairs of solutions of one exercise by different people is as similar.
	defaultSimilarity = 0.15
)

// flags adds the flags that decide what is compared. suffix says which files --suffix selects.
func (f *pairFlags) flags(c *cobra.Command, suffix string) {
	f.Params = baseline.Defaults
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringArrayVar(&f.base, "base", nil, "ignore base code, such as a skeleton that was handed out: a file, an archive, or all files below a directory `PATH` (repeatable)")
	fs.Var(value.Suffixes(&f.suffixes), "suffix", suffix)
	fs.VarP(value.AtLeast(&f.K, f.K, 1), "kgram", "k", "tokens `K` of a k-gram: no shorter run is a match")
	fs.VarP(value.AtLeast(&f.W, f.W, 1), "window", "w", "window `W`: shared runs of k+w-1 tokens are always found")
	fs.Var(value.Workers(&f.workers), "workers", "examine `N` files at a time; 0 means one for each CPU")
	fs.StringVarP(&f.output, "output", "o", "", outputHelp)
	config.Mark(fs, config.IsPath, "base")
	config.Mark(fs, config.NotInFile, "output", "suffix")
}

// rankFlags adds the flags that select the pairs shown.
func (f *pairFlags) rankFlags(c *cobra.Command) {
	fs := c.Flags()
	f.tokensFlag(fs)
	fs.Var(value.Share(&f.Share, defaultPairShare), "min-share", "leave out pairs that share less than `SHARE`, up to 1, of the tokens of either side; with --sort similarity, pairs whose similarity is below SHARE, by default 0.15: one in thirty pairs of solutions of one exercise by different people reaches it")
	fs.Var(value.AtLeast(&f.Tokens, 1, 1), "min-shared", "leave out pairs that share fewer than `TOKENS` in all")
	fs.Var(value.AtLeast(&f.MinSize, 0, 0), "min-size", "leave out pairs of which one unit has fewer than `TOKENS`")
	fs.Var(value.AtLeast(&f.MaxSize, 0, 0), "max-size", "leave out pairs of which one unit has more than `TOKENS`; 0 means no bound")
	fs.Var(value.AtLeast(&f.MaxRatio, 0, 0), "max-ratio", "leave out pairs of which one unit is more than `TIMES` as long as the other; 0 means no bound")
	fs.Var(value.OneOf(&f.Sort, similar.ByShare, similar.ByShare, similar.ByTokens, similar.ByBits, similar.BySimilarity, similar.ByAlone), "sort", "order pairs by `NAME`: share, tokens, bits, similarity or, with --units folders, alone (tokens that no third unit has); with --units folders it is similarity if nothing is given")
	fs.Var(value.Share(&f.Group, defaultGroupShare), "group", "put units that share `SHARE` or more into one group, up to 1")
	config.Mark(fs, config.NotInFile, "min-share", "min-shared", "min-size", "max-size", "max-ratio", "sort", "group")
}

func (f *pairFlags) tokensFlag(fs *pflag.FlagSet) {
	fs.Var(value.AtLeast(&f.minTokens, baseline.Defaults.T(), 1), "min-tokens", "shortest match, in `TOKENS`")
}

func (f *pairFlags) formats(c *cobra.Command, names ...string) {
	c.Flags().Var(value.OneOf(&f.format, "text", names...), "format", "output `FORMAT`: "+value.Alternatives(names))
	c.Flags().Var(value.AtLeast(&f.sources, defaultSources, 0), "sources", "html: include the source of the first `N` pairs: the matches, or the files of pairs that are similar without a match; about 1 MB at most for one pair, and 20 kB times N in all; json: no source unless the flag is given")
	config.Mark(c.Flags(), config.NotInFile, "sources")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "text: list every match and everything not examined")
}

type similarFlags struct {
	pairFlags
	in    []string
	all   bool
	units string
	from  string
	sets  int
	pairs int
}

func (p *program) similarCommand() *cobra.Command {
	f := new(similarFlags)
	c := &cobra.Command{
		Use:   "similar FILE --in DIR… | --all DIR…",
		Short: "Find submissions or files that share code",
		Long: `Rank the submissions of a class by their similarity:

  git-provenance similar --all DIR --units folders --base HANDOUT --output page.html

Each directory and archive right in DIR is one submission. DIR may be the archive that
Moodle, Canvas, Blackboard, Brightspace or Gradescope makes: what they add to names is
removed, and files of one person are one submission. HANDOUT is code that everybody was
given. With --suffix .java only such files are read. Similarity compares structure and
values, so that rewritten copies rank high; code that many have counts less. Text and
page also show how many pairs have which similarity, so that you see what is usual. The
list says where to begin to read; it is no verdict.

Without --units folders, files are compared with each other, or with one FILE. They are
ranked by shares: the share of A is the part of its tokens that lie in a match with B.
Every match is verified on the tokens of both: the names, literals and signs of the code.
Other names and another layout hide nothing. A DIR may be an archive or a git revision.

A group links units by pairs; --sets lists units that all have the same code. --from
filters and orders a result that --format json saved; nothing is compared again.

The text lists 100 pairs and 100 groups, other formats and --verbose all. In CSV,
shareA and sharedA are the share and the number of A's tokens that B has; bits is the
information in the matches and equal files, files the number of pairs of files that
share something, and alone the number of tokens that no third unit has.`,
		Example: `  git-provenance similar --all submissions --units folders --suffix .java --base skeleton --output page.html
  git-provenance similar --all src --suffix .java --format json --output pairs.json
  git-provenance similar --from pairs.json --min-share 0.8 --format csv
  git-provenance similar src/Main.java --in submissions`,
		RunE: func(c *cobra.Command, args []string) error { return p.similar(c, args, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringArrayVar(&f.in, "in", nil, "compare FILE with the files below `DIR`, and below each further argument (repeatable)")
	fs.BoolVar(&f.all, "all", false, "compare all files below each DIR with each other")
	fs.Var(value.OneOf(&f.units, "files", "files", "folders"), "units", "with --all: what is compared, `NAME`: files or folders")
	fs.Var(value.AtLeast(&f.sets, 0, 0), "sets", "with --all: list the largest sets of three units and more that all have the same `TOKENS` tokens or more; 0 lists none")
	fs.Var(value.AtLeast(&f.pairs, defaultPairs, 0), "pairs", "with --all: of more than 1,000 files compare the `N` pairs that have most in common, and those that link groups; 0 compares every pair, as is always done with --units folders, --sets and --sort similarity")
	fs.StringVar(&f.from, "from", "", "filter and render the JSON result `FILE` again")
	f.flags(c, "compare only files whose names end in `SUFFIX`, such as .java; the FILE that --in compares may have any name (repeatable)")
	f.rankFlags(c)
	fs.BoolVar(&f.anonymous, "anonymous", false, "show numbers in place of the names of units, and [name] in place of their words in the names of files; names in the code stay")
	fs.StringVar(&f.pseudonyms, "pseudonyms", "", "with --anonymous: show pseudonyms, made with the key in `FILE` and the same in each run; FILE also lists the name of each pseudonym, and is created if it is missing")
	f.formats(c, "text", "json", "csv", "html")
	config.Mark(fs, config.NotInFile, "anonymous", "pseudonyms", "in", "all", "units", "sets", "pairs", "from")
	return c
}

func (p *program) similar(c *cobra.Command, args []string, f *similarFlags) (err error) {
	ctx := c.Context()
	if err := f.check(c, args); err != nil {
		return err
	}
	if err := p.settle(c, ""); err != nil {
		return err
	}
	if f.from != "" {
		r, err := p.readSimilar(ctx, f.from)
		if err != nil {
			return err
		}
		if err := f.sortAgain(c, r); err != nil {
			return err
		}
		if len(f.suffixes) > 0 {
			if r.OfFolders() {
				return usage(c, "%q compares submissions: only comparing them again with --suffix tells what they share then", f.from)
			}
			r.Only(f.suffixes)
		}
		r.Filter(f.Filter)
		return p.renderPairs(&f.pairFlags, r)
	}
	s := p.units(f.suffixes)
	defer closeAll(&err, []io.Closer{s})
	var all []similar.Part
	if f.all {
		all, err = s.Units(ctx, args, f.units == "folders")
	} else {
		all, err = s.Against(ctx, args[0], slices.Concat(f.in, args[1:]))
	}
	if err != nil {
		return err
	}
	f.rankBySimilarity(c)
	return p.compareParts(c, all, &f.pairFlags, similar.Options{Query: !f.all, Common: f.sets, Pairs: f.pairs, Ledger: s.Ledger})
}

// check refuses combinations that make no sense.
func (f *similarFlags) check(c *cobra.Command, args []string) error {
	switch {
	case f.pseudonyms != "" && !f.anonymous:
		return usage(c, "--pseudonyms goes with --anonymous")
	case f.from != "":
		if f.all || len(f.in) > 0 || len(args) > 0 {
			return usage(c, "--from takes neither FILE nor DIR")
		}
		for _, name := range []string{"base", "kgram", "window", "min-tokens", "units", "sets", "pairs", "sources"} {
			if c.Flags().Changed(name) {
				return usage(c, "--%s is for comparing, and --from compares nothing again", name)
			}
		}
	case f.all && len(f.in) > 0:
		return usage(c, "--all and --in exclude each other")
	case f.all && len(args) == 0:
		return usage(c, "no DIR given")
	case !f.all && (len(args) == 0 || len(args) > 1 && len(f.in) == 0):
		return usage(c, "give one FILE and --in DIR, or --all and one DIR or more")
	case !f.all && len(f.in) == 0:
		return usage(c, "no --in DIR given to compare %q with; --all compares all files below it with each other", args[0])
	case !f.all && (f.units == "folders" || f.sets > 0 || c.Flags().Changed("pairs")):
		return usage(c, "--units, --sets and --pairs go with --all")
	case f.Sort == similar.ByAlone && f.units != "folders":
		return usage(c, "--sort alone goes with --units folders: only code of submissions is looked for in third units")
	case f.units == "folders" && c.Flags().Changed("pairs"):
		return usage(c, "--pairs is for files: all pairs of submissions are compared")
	}
	return nil
}

// rankBySimilarity decides whether pairs are ranked by similarity, and from which value on.
func (f *similarFlags) rankBySimilarity(c *cobra.Command) {
	if f.units == "folders" && !c.Flags().Changed("sort") {
		f.Sort = similar.BySimilarity
	}
	if f.Sort == similar.BySimilarity && !c.Flags().Changed("min-share") {
		f.Share = defaultSimilarity
	}
}

// sortAgain keeps the order of a saved result unless another one is asked for.
func (f *similarFlags) sortAgain(c *cobra.Command, r *similar.Result) error {
	if !c.Flags().Changed("sort") && r.Parameters.Sort == similar.BySimilarity {
		f.Sort = similar.BySimilarity
	}
	f.rankBySimilarity(c)
	if f.Sort == similar.ByAlone && !r.OfFolders() {
		return usage(c, "%q compares files: --sort alone needs a result of --units folders", f.from)
	}
	if f.Sort == similar.BySimilarity && r.Parameters.Sort != similar.BySimilarity {
		return usage(c, "%q holds no similarities: compare with --sort similarity", f.from)
	}
	return nil
}

// compareParts compares in a temporary directory, and writes the result.
func (p *program) compareParts(c *cobra.Command, all []similar.Part, f *pairFlags, o similar.Options) (err error) {
	ctx := c.Context()
	dir, err := os.MkdirTemp("", "git-provenance-pairs-")
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	defer os.RemoveAll(dir) // the system removes leftovers
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	workers := f.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	o.Params, o.BaseCode, o.Filter = f.Params, f.base, f.Filter
	o.Scan = scanner.Defaults()
	o.Scan.Workers, o.Scan.MinTokens, o.Scan.Version = workers, f.minTokens, version()
	o.Scan.Progress = func(done, total int) { bar.At("comparing", done, total) }
	if f.format == "html" || f.format == "json" && c.Flags().Changed("sources") {
		o.Sources = f.sources
	}
	if f.format == "text" && !f.verbose {
		o.Listed = text.MostListed
	}
	o.Totals = f.format == "csv"
	o.Reading = func(part string, files int) { bar.At("reading "+part, files, 0) }
	r, err := similar.Compare(ctx, dir, all, o)
	if err != nil {
		return err
	}
	defer closeAll(&err, []io.Closer{r})
	bar.Stop()
	if err := p.renderPairs(f, r); err != nil {
		return err
	}
	p.adviseSubmissions(o, r)
	return nil
}

// adviseSubmissions gives a hint if files were compared that seem to be submissions.
func (p *program) adviseSubmissions(o similar.Options, r *similar.Result) {
	const option = "git-provenance similar --all DIR --units folders"
	n := units.Packed(r.Ledger)
	switch {
	case n > 0 && n >= len(r.Units) && o.Query: // more than a test's data
		fmt.Fprintf(p.err, "hint: %s not unpacked; to compare with submissions, put the file into their directory: %s\n", words.Plural(n, "archive"), option)
	case n > 0 && n >= len(r.Units):
		fmt.Fprintf(p.err, "hint: %s not unpacked; to compare submissions: %s\n", words.Plural(n, "archive"), option)
	case !o.Query && !o.Two && units.Uploaded(r.Units):
		fmt.Fprintf(p.err, "hint: a learning platform named these files; to compare submissions: %s\n", option)
	}
}

// readSimilar reads a saved result, which may come from anybody.
func (p *program) readSimilar(ctx context.Context, name string) (*similar.Result, error) {
	js, err := p.readArgument(ctx, "result", name)
	if err != nil {
		return nil, err
	}
	r := new(similar.Result)
	if err := json.Unmarshal(js, r); err != nil {
		return nil, &noResultError{name, fmt.Errorf("it is no JSON: %w", err)}
	}
	if r.Schema != similar.Schema {
		return nil, &noResultError{name, fmt.Errorf("schema is %q, not %q", r.Schema, similar.Schema)}
	}
	return r, nil
}

// noResultError says that a file is no saved result.
type noResultError struct {
	name string
	err  error
}

func (e *noResultError) Error() string { return fmt.Sprintf("read result %q: %v", e.name, e.err) }
func (e *noResultError) Unwrap() error { return e.err }

// Remedy says where a result comes from.
func (e *noResultError) Remedy() string {
	return `the flag takes what "git-provenance similar --format json" of this release wrote`
}

func (p *program) renderPairs(f *pairFlags, r *similar.Result) error {
	if err := f.hideNames(r); err != nil {
		return err
	}
	return p.write(f.output, func(w io.Writer) error { return report.Pairs(w, r, f.format, p.pairOptions(f)) })
}

// pairOptions returns the options for a terminal only if the output goes there.
func (p *program) pairOptions(f *pairFlags) text.Options {
	if !console.Standard(f.output) {
		return text.Options{Verbose: f.verbose}
	}
	return p.textOptions(f.verbose)
}

// write writes to a file or to standard output.
func (p *program) write(name string, write func(io.Writer) error) error {
	if console.Standard(name) {
		return write(p.out)
	}
	return console.WriteFile(name, write)
}

func (p *program) compareCommand() *cobra.Command {
	f, two := new(pairFlags), similar.Options{Two: true}
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two files, directories, archives or git revisions",
		Long: `Show what A and B share: the resemblance and containment of their sets of k-grams
(Broder), and every verified match, the files that share most first. Each of A
and B is a file, a directory, an archive, or REV or REV:PATH of the repository
around the working directory. It may also be a submission, or a file of one, as
similar --units folders names it: DIR/Ann_17/Main.java.

--parameterized adds Baker's exact parameterized matches: every maximal stretch
of --min-tokens tokens that is equal on both sides but for a one-to-one renaming
of identifiers, with no gaps.

--maximal adds every run of at least --min-tokens tokens that both have, even if it
occurs very often. Without --maximal a fingerprint with too many positions is left
out, and the ledger lists it.`,
		Example: `  git-provenance compare submissions/Ann_17 submissions/Bob_18
  git-provenance compare src/Main.java submissions/Ann_17/Main.java
  git-provenance compare v1.0:src HEAD:src --base skeleton
  git-provenance compare release.zip src --format json`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage(c, "give A and B, two things to compare")
			}
			return p.compare(c, args, f, two)
		},
	}
	f.flags(c, "of directories, archives and revisions compare only files whose names end in `SUFFIX`, such as .java (repeatable)")
	f.tokensFlag(c.Flags())
	c.Flags().BoolVar(&two.Parameterized, "parameterized", false, "also list stretches that are equal but for a one-to-one renaming of identifiers")
	c.Flags().BoolVar(&two.Maximal, "maximal", false, "find every run of equal tokens that both have, however frequent it is")
	f.formats(c, "text", "json", "csv", "html")
	config.Mark(c.Flags(), config.NotInFile, "parameterized", "maximal")
	return c
}

func (p *program) compare(c *cobra.Command, args []string, f *pairFlags, two similar.Options) (err error) {
	if err := p.settle(c, ""); err != nil {
		return err
	}
	s := p.units(f.suffixes)
	defer closeAll(&err, []io.Closer{s})
	var both []similar.Part
	for _, a := range args {
		part, err := s.Open(c.Context(), a, false)
		if err != nil {
			return err
		}
		both = append(both, part)
	}
	return p.compareParts(c, both, f, two)
}

// units opens the code to compare. If suffixes are given, only files with one of them take part.
func (p *program) units(suffixes []string) *units.Opener {
	around := func(ctx context.Context) (*git.Repo, error) { return p.openRepo(ctx, ".") }
	return &units.Opener{Repository: around, Suffixes: suffixes}
}

// hideNames replaces the names of units by numbers or pseudonyms.
func (f *pairFlags) hideNames(r *similar.Result) error {
	switch {
	case !f.anonymous:
		return nil
	case f.pseudonyms == "":
		r.Anonymous()
		return nil
	}
	return units.Pseudonymise(r, f.pseudonyms)
}
