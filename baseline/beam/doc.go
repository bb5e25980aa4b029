// Command beam builds a baseline on a cluster: a pipeline of Apache Beam for the runners
// that have its Go SDK. It reads a list of sources and commits, to a directory or a shared
// baseline, what "baseline add --list" makes of it, byte for byte.
//
//	lines ─ open ─ by name ─ survey ─┬─ by content ─ elect ─ by package ─ make ─┐
//	                                 │                                          │
//	                       (surveys) │            ┌─ by range ─ sort ─┐       by hash
//	                                 │            │                   │         │
//	                                 └──── commit ◄─ (documents) ─────┴───── settle
//
// A package is read twice: once for its metadata and the hashes of its files, then for the
// contents that nobody before it has. So no text is passed between machines, and what a
// hundred versions share is tokenised once. What passes are batches of about 100 KB: file
// names by content, documents by their hash, postings by their fingerprint. Results
// lie as files in a directory that all workers see ([Config].Parts); the commit, which one
// worker does, reads them one after another.
//
// The work is package baseline's (TakeSurvey, Elect, Make, Settle, Lists, AddPieces);
// here is what carries it. Each step is a function of its input, and its files get names
// that nothing else has, so a runner may do any of them again. A build that is killed has
// changed nothing; one that is run again, after the commit too, ends with the same bytes.
//
// Removal and compaction are a second pipeline, see merge: documents and lists of ranges
// of the generation before, with their new positions.
package main
