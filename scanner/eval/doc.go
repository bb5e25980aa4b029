// Command eval measures how well copies are found and how quiet the scanner is
// where there are none, and fits the weights of the score. The scripts of docs/eval
// lay out its corpora and call it. Its rooms are below internal: a corpus becomes
// excerpts pasted into unknown files; these become tables (measure) or weights (refit).
package main
