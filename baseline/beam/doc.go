// Command beam builds a baseline on a cluster: a pipeline of Apache Beam for the runners that have its Go SDK. It reads
// a list of sources and commits them to a directory or a shared baseline. The result equals that of "baseline add
// --list", byte for byte.
//
//	lines ─ open ─ by name ─ survey ─┬─ by content ─ elect ─ by package ─ make ─┐
//	                                 │                                          │
//	                       (surveys) │            ┌─ by range ─ sort ─┐       by hash
//	                                 │            │                   │         │
//	                                 └──── commit ◄─ (documents) ─────┴───── settle
//
// A package is read twice: first for its metadata and the hashes of its files, then for the contents that no package
// before it has. So no text is passed between machines, and a content that a hundred versions share is tokenised once.
// The steps pass batches of about 100 KB: file names by content, documents by their hash, postings by their
// fingerprint. Results are files in a directory that all workers can access ([Config].Parts). One worker does the
// commit and reads them one after another.
//
// Package baseline does the work (TakeSurvey, Elect, Make, Settle, Lists, AddPieces); this package distributes it. Each
// step is a function of its input, and its files get unique names, so a runner may repeat any step. A build that is
// killed has changed nothing. A build that is repeated, even after the commit, ends with the same bytes.
//
// Removal and compaction are a second pipeline, see merge: it handles ranges of documents and lists of the generation
// before, with their new positions.
package main
