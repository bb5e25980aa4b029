package cmd

import (
	"github.com/git-provenance/git-provenance/scanner/similar"
	"github.com/spf13/cobra"
)

func (p *program) compareCommand() *cobra.Command {
	f, exactly := new(pairFlags), false
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two files, directories, archives or git revisions",
		Long: `Show what A and B share: the resemblance and containment of their sets of k-grams
(Broder), and every verified match, the files that share most first. Each of A
and B is a file, a directory, an archive, or REV or REV:PATH of the repository
around the working directory.

--parameterized adds Baker's exact parameterized matches: every maximal stretch
of --min-tokens tokens that is equal on both sides but for a one-to-one renaming
of identifiers, with no gaps.`,
		Example: `  git-provenance compare old/inflate.c new/inflate.c
  git-provenance compare v1.0:src HEAD:src --base skeleton
  git-provenance compare zlib-1.2.11.tar.gz third_party/zlib --format json`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage(c, "give A and B, two things to compare")
			}
			return p.compare(c, args, f, exactly)
		},
	}
	f.flags(c)
	f.tokensFlag(c.Flags())
	c.Flags().BoolVar(&exactly, "parameterized", false, "find what is equal but for a one-to-one renaming, exactly")
	f.formats(c, "text", "json", "csv", "html")
	mark(c.Flags(), notInFile, "parameterized")
	return c
}

func (p *program) compare(c *cobra.Command, args []string, f *pairFlags, exactly bool) (err error) {
	if err := p.settle(c, ""); err != nil {
		return err
	}
	s := &parts{p: p, suffixes: f.suffixes}
	defer s.close(&err)
	var both []similar.Part
	for _, a := range args {
		part, err := s.open(c.Context(), a, false)
		if err != nil {
			return err
		}
		both = append(both, part)
	}
	r, err := p.compareParts(c, both, f, similar.Options{Two: true, Exactly: exactly})
	if err != nil {
		return err
	}
	return p.renderPairs(f, r)
}
