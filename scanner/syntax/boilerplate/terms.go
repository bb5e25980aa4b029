package boilerplate

import "bytes"

// term is a paragraph that many texts have, in lines of any length: it begins and ends with fixed words and has others between.
type term struct {
	begin, between, end string
	most                int // bytes of the longest
}

// terms are the Developer Certificate of Origin, the terms of a contribution to projects in Rust, what RFCs and texts in their form say of
// key words, of their status and of their copyright, and how vcpkg installs a library.
var terms = []term{
	{"By making a contribution to this project, I certify that", "previous work", "involved", 2000},
	{"Unless you explicitly state otherwise, any contribution", "submitted", "conditions", 500},
	{`he key words "MUST`, "interpreted", "2119", 400},
	{"Status of this Memo\n", "Distribution of", "unlimited", 1000},
	{"Status of This Memo\n", "Distribution of", "unlimited", 1000},
	{"Copyright (C) The Internet Society", "limited permissions granted", "A PARTICULAR PURPOSE", 2500},
	{"This document and translations of it may be copied", "derivative works", "A PARTICULAR PURPOSE", 2500},
	{"You can download and install ", "](https://github.com/Microsoft/vcpkg", "on the vcpkg repository", 1500},
}

// withTerms adds the terms in a text. Where their words stand in another order, or too far apart, there is none.
func withTerms(out []ByteSpan, text []byte) []ByteSpan {
	for _, t := range terms {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(t.begin))
			if i < 0 {
				break
			}
			from := at + i
			at = from + len(t.begin)
			rest := text[at:min(len(text), from+t.most)]
			between := bytes.Index(rest, []byte(t.between))
			if between < 0 {
				continue
			}
			if end := bytes.Index(rest[between:], []byte(t.end)); end >= 0 {
				at += between + end + len(t.end)
				out = append(out, ByteSpan{from, at})
			}
		}
	}
	return out
}
