// Package evolution measures how many real edits are found. It follows every function and file of repositories from an
// early commit to a late one, commit by commit. So a pair is known to be one function even if little of it agrees. The
// early commit is indexed; late functions are pasted into unknown files. It prints tables of recall by how much still
// agrees.
//
//	table.go       the repositories
//	follow.go      functions and files, from commit to commit; lcs.go: how much agrees
//	measure.go     samples, scans
//	bound.go       the evidence that a perfect search would have
//	report.go      tables
//
// The way from one commit to the next is determined by path, name and longest common subsequence, never by the scanner.
package evolution
