// Package disk is how files of ours are touched: mapped for reading, so that a
// file that is cut short meanwhile is an error and not the end of the program.
// It knows bytes and paths only.
package disk
