// Command eval measures how well copies are found and how quiet the scanner is
// where there are none. A corpus of pinned packages flows in (docs/eval/run.sh
// lays it out); excerpts of the known packages are changed as people change them
// and pasted into files of unknown packages; tables flow out: recall by language,
// clone type and size, false findings, the right origin, line overlap, and the
// curve over k and w.
//
// Nothing here looks at how the scanner judges while it chooses or changes an
// excerpt. The same corpus and seed make the same targets, byte for byte.
package main
