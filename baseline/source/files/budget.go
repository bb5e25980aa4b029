package files

import (
	"context"
	"errors"
	"io"
	"sync"
)

// budget counts the work that an archive causes.
type budget struct {
	ctx      context.Context
	archive  string
	lim      Limits
	packed   int64
	mu       sync.Mutex // guards unpacked, which several goroutines count
	unpacked int64
	before   int64 // bytes that earlier parts of the package have unpacked to
	entries  int
	names    int64 // bytes of names
	kept     int64 // bytes of metadata
}

func (b *budget) refuse(limit string, most int64) error {
	return &LimitError{Subject: b.archive, Limit: limit, Max: most}
}

func (b *budget) entry() error {
	if b.entries++; b.entries > b.lim.Entries {
		return b.refuse("entries", int64(b.lim.Entries))
	}
	return b.ctx.Err()
}

// named counts the name of an entry, which stays in memory. The directory of a zip and the manifest of a phar have bounds of their own.
func (b *budget) named(name string) error {
	most := 1<<20 + directoryBytes*int64(b.lim.Entries)
	if b.names += int64(len(name)); b.names > most {
		return b.refuse("bytes of names", most)
	}
	return nil
}

// keep counts metadata that stays in memory while an archive is inspected.
func (b *budget) keep(n int64) error {
	const most = 4 * maxMetadata
	if b.kept += n; b.kept > most {
		return b.refuse("bytes of metadata", most)
	}
	return nil
}

func (b *budget) unpack(n int64) error {
	b.unpacked += n
	return b.total(b.unpacked)
}

// total checks the number of bytes that an archive has unpacked to.
func (b *budget) total(n int64) error {
	if b.before+n > b.lim.TotalBytes {
		return b.refuse("unpacked bytes", b.lim.TotalBytes)
	}
	if err := b.lim.CheckUnpacked(b.archive, n, func() int64 { return b.packed }); err != nil {
		return err
	}
	return b.ctx.Err()
}

// broken wraps an error in an archive's content. Refusals and cancellations stay unchanged.
func (b *budget) broken(entry string, err error) error {
	var limit *LimitError
	var known *ArchiveError
	switch {
	case errors.As(err, &limit), errors.As(err, &known):
		return err
	case b.ctx.Err() != nil:
		return b.ctx.Err()
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF
	}
	return &ArchiveError{Archive: b.archive, Entry: entry, Err: err}
}

// metered is an unpacked stream whose bytes count against a budget.
type metered struct {
	r io.Reader
	b *budget
}

func (m metered) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.b.mu.Lock()
	defer m.b.mu.Unlock()
	if e := m.b.unpack(int64(n)); e != nil {
		return n, e
	}
	return n, err
}

const maxInt = 1<<63 - 1

func newBudget(ctx context.Context, a Blob, from string, lim Limits) (*budget, string, error) {
	b := &budget{ctx: ctx, archive: from, lim: lim, packed: a.Size}
	k, err := Kind(a)
	if err == nil && k == "" {
		err = errors.New("neither a zip nor a tar, packed with gzip, xz, zstd, bzip2 or not, nor a phar")
	}
	if err == nil && k == "xz" {
		err = checkXZ(a)
	}
	if err != nil {
		return nil, "", b.broken("", err)
	}
	return b, k, nil
}
