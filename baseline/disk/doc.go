// Package disk reads and writes the files of baselines and of the cache of histories.
// It maps files for reading: one that is cut short meanwhile is an error, and not the
// end of the program. It makes writes last. Tests put faults in by Intercept. It knows
// bytes and paths only.
package disk
