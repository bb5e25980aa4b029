//go:build !unix

package console

// EnoughFiles tells nothing where descriptors are not counted.
func EnoughFiles() error { return nil }
