// Package disk is how a baseline and the cache of histories touch their files. Maps are for reading, so that
// a file that is cut short meanwhile is an error and not the end of the program;
// writes can be made to last. Tests put faults between the two by Intercept. It
// knows bytes and paths only.
package disk
