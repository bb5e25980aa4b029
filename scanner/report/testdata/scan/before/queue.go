// Package queue holds what waits.
package queue

// Queue is a list of what waits.
type Queue struct{ items []string }

// Len tells how many wait.
func (q *Queue) Len() int { return len(q.items) }
