// Package disk reads and writes the files of baselines and of the disk cache of histories. It maps files for reading:
// if a mapped file is cut short, that is an error and does not end the program. It makes writes durable. Tests inject
// faults with Intercept. The package knows bytes and paths only.
package disk
