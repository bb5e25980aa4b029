package boilerplate_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/syntax/boilerplate"
)

// BenchmarkHostileText reads texts that repeat what a stretch begins with, and have no end of it.
func BenchmarkHostileText(b *testing.B) {
	for name, start := range map[string]string{
		"own words":   "some words of a text, ",
		"certificate": "By making a contribution to this project, I certify that ",
		"key words":   "The key words \"MUST ",
		"society":     "Copyright (C) The Internet Society limited permissions granted ",
		"Unicode":     "# Copyright Unicode\n# For terms of use, se\n# terms of use, see\n",
		"Tidelift":    "and thousands of other packages are working with Tidelift",
		"module.css":  "/** * CSS files with the .module.css suffix ",
		"changelog":   "all notable changes to the format is based on keepachangelog.com ",
		"notebook":    "\"metadata\": { \"kernelspec\" ",
		"Pygments":    "} /* Comment.",
	} {
		text := []byte(strings.Repeat(start, 1<<20/len(start)))
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				boilerplate.InText(text)
			}
		})
	}
}
