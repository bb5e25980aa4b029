// Package eval measures how well copies are found and strangers left alone. A
// corpus of pinned packages flows in (run.sh lays it out); excerpts of the known
// ones are changed as people change them and pasted into files of unknown ones;
// out flow tables: recall by language, clone type and size, false findings, the
// right origin, line overlap, and the curve over k and w.
//
// Nothing here looks at how the scanner judges while it chooses or changes an
// excerpt. The same corpus and seed make the same targets, byte for byte.
package eval
