// Package evolution measures how many real edits are found. Repositories with their
// histories flow in. It follows every function and file from an early commit to a
// late one, commit by commit, so that a pair is known to be one function although
// little of it may agree. The early commit is indexed; late functions are pasted
// into unknown files. Out flow tables of recall by how much still agrees.
//
// The way from one commit to the next is decided by path, name and longest common
// subsequence, never by the scanner.
package evolution
