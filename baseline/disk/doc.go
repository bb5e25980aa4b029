// Package disk reads and writes the files of baselines and of the disk cache of histories. It maps files for reading:
// if a mapped file is cut short, that is an error and does not end the program. It makes writes durable. Tests inject
// faults with Intercept. The package knows bytes and paths only.
//
//	file.go        File, and Intercept for tests
//	map.go         maps and their faults; map_unix.go, map_other.go: the system's part
//	scattered.go   few small reads of a large file, which need no map; cached_linux.go, cached_other.go: what the system has in memory
//	parts.go       files that are fetched part by part
//	regular.go     refuses pipes and devices; sync_unix.go, sync_other.go: durable directories
//	trim.go        keeps a directory below a size
package disk
