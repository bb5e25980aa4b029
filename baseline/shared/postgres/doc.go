// Package postgres keeps shared baselines in PostgreSQL, and in databases that speak its protocol and SQL. It writes objects with
// COPY and reads thousands of chunks in one round trip.
//
//	doc.go         connections
//	schema.go      the tables and their versions
//	read.go, write.go  generations and objects
//	errors.go      errors with advice
//
// # Tables
//
// The tables are in the first schema of the search path:
//
//	gp_schema      version               of these tables, the highest counts
//	gp_generation  number, manifest      one row: the newest
//	gp_object      name, size, retired   since when no generation has it, null if the newest has
//	gp_block       object, number, part, bytes
//
// An object is a file of the baseline. A row of gp_block has a part of it, never a single posting. In a segment, fingerprints are
// in order, so a row has the blocks of a range of fingerprints. A row is stored in one piece, see keepInline. Part is the
// position, in 256ths of the object, for databases that are partitioned or spread over servers; every query names it.
//
// # Changes
//
// A generation is committed in one transaction: rows of new objects, retired objects, the number and the manifest. The number is a
// primary key, so one of two writers fails even without locks. If advisory locks work, the second writer waits instead. Objects
// that have been retired for an hour, by the server's clock, are deleted by the next change. Until then, readers of the generation
// before can read them.
//
// # Changelog of the tables
//
//	1: first version
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/jackc/pgx/v5/pgconn"
)

// chunkSize, in bytes, lets two rows fill a page of 8 KiB.
const chunkSize = 3968

const (
	connectTimeout = 15 * time.Second
	// leastVersion is the oldest server version with the needed hashing and partitions.
	leastVersion = 12
)

// lockWait bounds how long a writer waits for another.
var lockWait = 10 * time.Minute

// stallAfter bounds how long a reader waits for a server that is connected but sends nothing.
var stallAfter = 2 * time.Minute

func init() {
	for _, scheme := range []string{"postgres", "postgresql"} {
		shared.Register(scheme, open, name)
	}
}

// name returns an address without passwords.
func name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		scheme, _, _ := strings.Cut(address, "://")
		return scheme + "://…"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	for _, secret := range []string{"password", "sslpassword"} {
		q.Del(secret)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// server is the database at an address.
type server struct {
	name   string
	config *pgconn.Config
	conn   *pgconn.PgConn // nil if the connection is lost
	key    int64          // of its advisory lock
	locked bool           // the lock was taken
}

func open(ctx context.Context, address string) (shared.Store, error) {
	c, err := pgconn.ParseConfig(address)
	if err != nil { // the error may contain the password
		return nil, &shared.StoreError{Address: name(address), Err: errors.New("the address, or what the environment adds to it, cannot be read"),
			Hint: "it looks like postgres://USER@HOST:5432/DATABASE?sslmode=verify-full; passwords come from ~/.pgpass or PGPASSWORD"}
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTimeout
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "git-provenance"
	}
	c.DialFunc = dialer.DialContext
	s := &server{name: name(address), config: c}
	return s, s.retry(ctx, func(context.Context) error { return nil }) // retry connects
}

// dialer detects within a minute that the network has dropped a waiting connection.
var dialer = &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 20 * time.Second, Interval: 10 * time.Second, Count: 4}}

func (s *server) ChunkSize() int { return chunkSize }

// Close ends the connection, which also releases the lock.
func (s *server) Close() error {
	s.hangUp()
	return nil
}

func (s *server) hangUp() {
	if s.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s.conn.Close(ctx) // it is closed even if this fails
	s.conn = nil
}

// connect makes a connection if there is none. If a lock was lost with the last connection, it takes the lock again. If that
// fails, it closes the new connection.
func (s *server) connect(ctx context.Context) (err error) {
	if s.conn != nil && !s.conn.IsClosed() {
		return nil
	}
	if s.conn, err = pgconn.ConnectConfig(ctx, s.config); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.hangUp()
		}
	}()
	if v := s.conn.ParameterStatus("server_version"); v != "" && major(v) < leastVersion {
		return s.refuse(fmt.Errorf("the server is PostgreSQL %s", v), fmt.Sprintf("it has to be version %d or newer", leastVersion))
	}
	if s.locked {
		return s.relock(ctx)
	}
	return nil
}

// major returns the number that a version begins with.
func major(version string) (n int) {
	for _, c := range version {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}

func (s *server) refuse(err error, hint string) error {
	return &shared.StoreError{Address: s.name, Err: err, Hint: hint}
}

// waits are the pauses between the attempts of one request.
var waits = []time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 1600 * time.Millisecond, 3 * time.Second}

// retry runs do, which must be repeatable, and repeats it with a new connection if the last one was lost. Each pause is shortened
// by up to a half, so that many clients of a lost server do not return at the same time.
func (s *server) retry(ctx context.Context, do func(context.Context) error) error {
	for i := 0; ; i++ {
		err := s.connect(ctx)
		if err == nil {
			err = do(ctx)
		}
		if err == nil {
			return nil
		}
		if i == len(waits) || !passing(err) || ctx.Err() != nil {
			return s.told(ctx, err)
		}
		s.hangUp()
		wait := waits[i] - time.Duration(uint64(os.Getpid())*0x9E3779B9%uint64(waits[i]/2))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// passing reports whether a new connection may resolve an error.
func passing(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case "57P01", "57P02", "57P03", "53300", "40001", "40P01", "25P02":
			return true
		}
		return strings.HasPrefix(e.Code, "08")
	}
	if _, ok := errors.AsType[*ownError](err); ok {
		return false
	}
	_, config := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	_, said := errors.AsType[*shared.StoreError](err)
	return !said && (config || network || lost(err))
}

// ownError is an error that the server did not report: an error of the caller, or an answer that makes no sense.
type ownError struct{ err error }

func (e *ownError) Error() string { return e.err.Error() }
func (e *ownError) Unwrap() error { return e.err }
