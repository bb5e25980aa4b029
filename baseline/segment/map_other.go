//go:build !unix

package segment

func readScattered(view) {}

func willNeed(view, uint64, uint64) {}
