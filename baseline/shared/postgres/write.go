package postgres

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/jackc/pgx/v5/pgconn"
)

// kept is how long retired objects are kept.
const kept = "1 hour"

// Lock waits for other writers, up to lockWait.
func (s *server) Lock(ctx context.Context) error {
	err := s.retry(ctx, func(ctx context.Context) error {
		row, err := s.one(ctx, 1, `select current_schema()`)
		if err != nil {
			return err
		}
		s.key = lockKey(row[0])
		if err := s.migrate(ctx); err != nil {
			return err
		}
		return s.writable(ctx)
	})
	if err != nil {
		return err
	}
	end := time.Now().Add(lockWait)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		var got bool
		if err := s.retry(ctx, func(ctx context.Context) error {
			got, err = s.tryLock(ctx)
			return err
		}); err != nil {
			return err
		}
		if got {
			s.locked = true
			return nil
		}
		if time.Now().After(end) {
			return &shared.BusyError{Address: s.name, Holder: s.holder(ctx)}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *server) tryLock(ctx context.Context) (bool, error) {
	row, err := s.one(ctx, 1, fmt.Sprintf(`select pg_try_advisory_lock(%d)`, s.key))
	return err == nil && string(row[0]) == "t", err
}

// relock takes the lock for a new connection. If another writer has it now, relock returns the error that the commit
// would.
func (s *server) relock(ctx context.Context) error {
	got, err := s.tryLock(ctx)
	if err == nil && !got {
		return &shared.ConflictError{Address: s.name}
	}
	return err
}

// holder describes the holder of the lock.
func (s *server) holder(ctx context.Context) string {
	u := uint64(s.key)
	rs, err := s.query(ctx, fmt.Sprintf(`select a.pid, a.usename, coalesce(host(a.client_addr), 'this machine'), date_trunc('second', a.backend_start) from pg_locks l join pg_stat_activity a on a.pid = l.pid
		where l.locktype = 'advisory' and l.classid::int8 = %d and l.objid::int8 = %d and l.granted`, u>>32, u&(1<<32-1)))
	if err != nil || len(rs) == 0 || len(rs[0]) == 0 {
		return "the server does not tell which"
	}
	r := rs[0][0]
	return fmt.Sprintf("user %q from %s, connected since %s, process %s of the server", r[1], r[2], r[3], r[0])
}

// Commit publishes a generation in one transaction.
func (s *server) Commit(ctx context.Context, c shared.Change) error {
	return s.retry(ctx, func(ctx context.Context) error {
		done, err := s.committed(ctx, c)
		if done || err != nil {
			return err
		}
		return s.within(ctx, func() error { return s.commit(ctx, c) })
	})
}

// committed reports whether the change was already made: the connection may have been lost after the commit but before
// the server's answer.
func (s *server) committed(ctx context.Context, c shared.Change) (bool, error) {
	rs, err := s.query(ctx, `select number, manifest from gp_generation order by number desc limit 1`)
	if err != nil || len(rs) != 1 {
		return false, err
	}
	newest, manifest := "0", []byte(nil)
	if len(rs[0]) > 0 {
		newest = string(rs[0][0][0])
		if manifest, err = unhex(rs[0][0][1]); err != nil {
			return false, &ownError{err}
		}
	}
	switch newest {
	case fmt.Sprint(c.From):
		return false, nil
	case fmt.Sprint(c.From + 1):
		if bytes.Equal(manifest, c.Manifest) {
			return true, nil
		}
	}
	return false, &shared.ConflictError{Address: s.name}
}

func (s *server) commit(ctx context.Context, c shared.Change) error {
	// This comes first, so that the second of two writers waits here and uploads nothing.
	_, err := s.query(ctx, fmt.Sprintf(`insert into gp_generation (number, manifest) values (%d, '\x%s')`, c.From+1, hex.EncodeToString(c.Manifest)))
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "23505" {
		return &shared.ConflictError{Address: s.name}
	}
	if err != nil {
		return err
	}
	var names []string
	for _, l := range c.Add {
		names = append(names, l.Name)
	}
	if err := s.clear(ctx, names); err != nil {
		return err
	}
	for _, l := range c.Add {
		if err := s.upload(ctx, l); err != nil {
			return err
		}
	}
	_, err = s.query(ctx, fmt.Sprintf(`delete from gp_generation where number <= %d;
		update gp_object set retired = now() where retired is null and name not in (%s)`, c.From, quoted(c.Keep)))
	return err
}

// clear deletes objects that have been retired for long enough, and leftovers of objects that are about to be uploaded.
// With several servers, a failed commit can leave blocks.
func (s *server) clear(ctx context.Context, names []string) error {
	rs, err := s.query(ctx, `delete from gp_object where retired < now() - interval '`+kept+`' returning name`)
	if err != nil {
		return err
	}
	gone := names
	if len(rs) == 1 {
		for _, row := range rs[0] {
			gone = append(gone, string(row[0]))
		}
	}
	if len(gone) == 0 {
		return nil
	}
	_, err = s.query(ctx, fmt.Sprintf(`delete from gp_block where object in (%s)`, quoted(gone)))
	if err == nil && len(names) > 0 {
		_, err = s.query(ctx, fmt.Sprintf(`delete from gp_object where name in (%s)`, quoted(names)))
	}
	return err
}

// quoted returns a list of strings in SQL.
func quoted(list []string) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	return strings.Join(out, ", ")
}

// upload sends an object's chunks.
func (s *server) upload(ctx context.Context, l shared.Local) error {
	f, err := disk.Open(l.Path)
	if err != nil {
		return &ownError{err}
	}
	defer f.Close()
	rows := &copyRows{f: f, object: l.Object}
	if _, err := s.conn.CopyFrom(ctx, rows, `copy gp_block (object, number, part, bytes) from stdin binary`); err != nil {
		if own := rows.err.Load(); own != nil {
			return &ownError{*own}
		}
		return err
	}
	_, err = s.query(ctx, fmt.Sprintf(`insert into gp_object (name, size) values (%s, %d)`, quoted([]string{l.Name}), l.Size))
	return err
}

// copyRows reads a file as the rows of a binary COPY.
type copyRows struct {
	f      io.Reader
	object shared.Object
	next   int    // number of the next chunk
	row    []byte // the last row that was made
	buf    []byte // its part that is not read yet
	ended  bool
	err    atomic.Pointer[error] // error of the file; atomic, since a reader may outlive a lost connection
}

func (r *copyRows) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(r.buf) == 0 {
			if r.ended {
				break
			}
			if err := r.fill(); err != nil {
				r.err.Store(&err)
				return n, err
			}
		}
		k := copy(p[n:], r.buf)
		n, r.buf = n+k, r.buf[k:]
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// fill makes the next row or the end mark.
func (r *copyRows) fill() error {
	be := binary.BigEndian
	b := r.row[:0]
	if r.next == 0 {
		b = append(b, "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	}
	left := r.object.Size - int64(r.next)*chunkSize
	if left <= 0 {
		r.buf, r.ended = be.AppendUint16(b, 0xFFFF), true
		return nil
	}
	b = be.AppendUint16(b, 4)
	b = append(be.AppendUint32(b, uint32(len(r.object.Name))), r.object.Name...)
	b = be.AppendUint32(be.AppendUint32(b, 4), uint32(r.next))
	b = be.AppendUint32(be.AppendUint32(b, 4), uint32(partOf(r.next, r.object.Size)))
	n := int(min(chunkSize, left))
	b = slices.Grow(be.AppendUint32(b, uint32(n)), n)
	data := b[len(b) : len(b)+n]
	if _, err := io.ReadFull(r.f, data); err != nil {
		return fmt.Errorf("read %q: %w", r.object.Name, err)
	}
	r.row = b[:len(b)+n]
	r.buf, r.next = r.row, r.next+1
	return nil
}
