// Command eval measures how well copies are found, and how few findings the scanner reports in unrelated code. It also
// fits the weights of the score. The scripts of docs/eval prepare its corpora and call it. Its parts are packages below
// internal: a corpus becomes excerpts pasted into unknown files; from these come tables (measure) or weights (refit).
package main
