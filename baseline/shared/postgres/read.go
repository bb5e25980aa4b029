package postgres

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/jackc/pgx/v5/pgconn"
)

// parts is the number of ranges that an object is divided into.
const parts = 256

// partOf returns the range of a chunk.
func partOf(chunk int, size int64) int {
	count := (size + chunkSize - 1) / chunkSize
	return int(int64(chunk) * parts / count)
}

const headSQL = `begin isolation level repeatable read read only;
select max(version) from gp_schema;
select number, manifest from gp_generation order by number desc limit 1;
select name, size from gp_object where retired is null order by name;
commit`

// Head returns the newest generation.
func (s *server) Head(ctx context.Context) (g *shared.Generation, err error) {
	err = s.retry(ctx, func(ctx context.Context) error {
		ctx, _, stop := shared.Watch(ctx, stallAfter)
		defer stop()
		g, err = s.head(ctx)
		return shared.Stalled(ctx, err)
	})
	return g, err
}

func (s *server) head(ctx context.Context) (*shared.Generation, error) {
	rs, err := s.query(ctx, headSQL)
	if err != nil && s.conn != nil && !s.conn.IsClosed() {
		s.query(ctx, `rollback`) // if this fails too, the next statement reports it
	}
	if len(rs) > 1 && len(rs[1]) == 1 && rs[1][0][0] != nil {
		if _, err := s.checkVersion(rs[1][0][0]); err != nil {
			return nil, err
		}
	}
	if noTable(err) && len(rs) < 3 {
		return nil, &shared.NoneError{Address: s.name}
	}
	if err != nil {
		return nil, err
	}
	if len(rs) != 5 || len(rs[1]) != 1 || len(rs[1][0]) != 1 {
		return nil, &ownError{fmt.Errorf("the server answers otherwise than expected")}
	}
	if rs[1][0][0] == nil || len(rs[2]) == 0 {
		return nil, &shared.NoneError{Address: s.name}
	}
	g, err := generation(rs[2][0], rs[3])
	if err != nil {
		return nil, &ownError{err}
	}
	return g, nil
}

// generation parses the server's answer, which is in text form.
func generation(newest [][]byte, objects [][][]byte) (*shared.Generation, error) {
	number, err := strconv.Atoi(string(newest[0]))
	if err != nil {
		return nil, fmt.Errorf("number of the generation: %w", err)
	}
	g := &shared.Generation{Number: number}
	if g.Manifest, err = unhex(newest[1]); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	for _, o := range objects {
		size, err := strconv.ParseInt(string(o[1]), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("size of object %q: %w", o[0], err)
		}
		g.Objects = append(g.Objects, shared.Object{Name: string(o[0]), Size: size})
	}
	return g, nil
}

// unhex parses a bytea in text form.
func unhex(text []byte) ([]byte, error) {
	if len(text) < 2 || string(text[:2]) != `\x` {
		return nil, errors.New("bytes are not in hexadecimal digits")
	}
	return hex.DecodeString(string(text[2:]))
}

const fetchSQL = `select number, bytes from gp_block where object = $1 and number = any($2) and part = any($3)`

// OIDs of the types of fetchSQL's parameters.
const (
	oidText  = 25
	oidInt4  = 23
	oidInt4s = 1007
)

// Fetch requests the chunks of all objects in one round trip.
func (s *server) Fetch(ctx context.Context, wants []shared.Want, got func(object string, chunk int, data []byte) error) error {
	return s.retry(ctx, func(ctx context.Context) error {
		ctx, moved, stop := shared.Watch(ctx, stallAfter)
		defer stop()
		err := shared.Stalled(ctx, s.fetch(ctx, wants, func(object string, chunk int, data []byte) error {
			moved()
			return got(object, chunk, data)
		}))
		if err != nil && !isA[*pgconn.PgError](err) {
			s.hangUp() // the rest of the answer is not needed
		}
		return err
	})
}

func (s *server) fetch(ctx context.Context, wants []shared.Want, got func(object string, chunk int, data []byte) error) error {
	batch := new(pgconn.Batch)
	for _, w := range wants {
		batch.ExecParams(fetchSQL, [][]byte{[]byte(w.Object.Name), int4s(w.Chunks), int4s(partsOf(w))}, []uint32{oidText, oidInt4s, oidInt4s}, []int16{0, 1, 1}, []int16{1})
	}
	rs := s.conn.ExecBatch(ctx, batch)
	for i := 0; rs.NextResult() && i < len(wants); i++ {
		r := rs.ResultReader()
		for r.NextRow() {
			v := r.Values()
			if len(v) != 2 || len(v[0]) != 4 {
				return &ownError{errors.New("the server returned rows of another kind than was asked for")}
			}
			if err := got(wants[i].Object.Name, int(int32(binary.BigEndian.Uint32(v[0]))), v[1]); err != nil {
				return &ownError{err}
			}
		}
	}
	return rs.Close()
}

// partsOf lists the ranges that contain the wanted chunks.
func partsOf(w shared.Want) []int {
	var out []int
	for _, i := range w.Chunks { // ascending
		if p := partOf(i, w.Object.Size); len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	return out
}

// int4s encodes an array of int4 for the protocol.
func int4s(list []int) []byte {
	be := binary.BigEndian
	b := make([]byte, 0, 20+8*len(list))
	for _, v := range []uint32{1, 0, oidInt4, uint32(len(list)), 1} { // dimensions, nulls, type, length, first index
		b = be.AppendUint32(b, v)
	}
	for _, v := range list {
		b = be.AppendUint32(be.AppendUint32(b, 4), uint32(v))
	}
	return b
}
