package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/baselinetest/pgtest"
	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/shared"
)

// dial connects with a separate cache.
func dial(t *testing.T, address string) *shared.Remote {
	t.Helper()
	r, err := dialled(t, address)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func dialled(t *testing.T, address string) (*shared.Remote, error) {
	ctx := shared.WithCache(context.Background(), shared.Cache{Dir: t.TempDir()})
	r, err := shared.Dial(ctx, address)
	if err == nil {
		t.Cleanup(func() { r.Close() })
	}
	return r, err
}

// publish commits objects as the generation after from, and returns any failure.
func publish(t *testing.T, address string, from int, keep []string, add ...shared.Local) error {
	t.Helper()
	r, err := dialled(t, address)
	if err != nil {
		return err
	}
	defer r.Close()
	ctx := context.Background()
	if err := r.Lock(ctx); err != nil {
		return err
	}
	return r.Commit(ctx, shared.Change{From: from, Manifest: fmt.Appendf(nil, "generation %d", from+1), Keep: keep, Add: add})
}

func TestObjectsComeBack(t *testing.T) {
	address := pgtest.Start(t).Database(t)
	sizes := []int{1, chunkSize, chunkSize + 1, 300 * chunkSize, 11_000*chunkSize + 17}
	var all []shared.Local
	var names []string
	texts := make(map[string][]byte)
	for i, size := range sizes {
		l, text := baselinetest.Object(t, fmt.Sprint("it's ", i), size)
		all, names = append(all, l), append(names, l.Name)
		texts[l.Name] = text
	}
	if err := publish(t, address, 0, names, all...); err != nil {
		t.Fatal(err)
	}
	s, err := dial(t, address).Head(context.Background())
	if err != nil || s.Number != 1 || string(s.Manifest) != "generation 1" {
		t.Fatal(s, err)
	}
	for name, text := range texts {
		f, err := s.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		at := len(text) * 3 / 4
		if err := f.Need(disk.Range{Off: uint64(at), Len: 1}); err != nil {
			t.Fatal(err)
		}
		if f.Data()[at] != text[at] {
			t.Errorf("byte %d of %d differs", at, len(text))
		}
		if err := f.Need(disk.Range{Len: 1 << 62}); err != nil {
			t.Fatal(err)
		}
		if string(f.Data()) != string(text) {
			t.Errorf("an object of %d bytes differs", len(text))
		}
		f.Close()
	}
}

// TestRowsStayWhole: no part of a half-page row is stored in a second table.
func TestRowsStayWhole(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	l, _ := baselinetest.Object(t, strings.Repeat("0123456789abcdef", 2)+".docs", 10*chunkSize)
	if err := publish(t, address, 0, []string{l.Name}, l); err != nil {
		t.Fatal(err)
	}
	size := s.Exec(t, address, `select coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) from pg_class where oid = 'gp_block'::regclass`)[0]
	if size != "0" {
		t.Errorf("the second table has %s bytes", size)
	}
}

func TestErrorsSayWhatHelps(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	l, _ := baselinetest.Object(t, "a", 10)
	if err := publish(t, address, 0, []string{"a"}, l); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, address, `create role reader login; grant usage on schema public to reader; grant select on all tables in schema public to reader`)
	s.Exec(t, address, `create role pinned login; alter role pinned set default_transaction_read_only = on; grant select, insert, update, delete on all tables in schema public to pinned`)
	as := func(user string) string { return strings.Replace(address, "postgres@", user+"@", 1) }
	newer, foreign, torn := s.Database(t), s.Database(t), s.Database(t)
	s.Exec(t, newer, `create table gp_schema (version int4); insert into gp_schema values (99)`)
	s.Exec(t, foreign, `create table gp_schema (name text)`)
	s.Exec(t, torn, `create table gp_block (a int4)`)
	ctx := context.Background()
	head := func(r *shared.Remote) error { _, err := r.Head(ctx); return err }
	lock := func(r *shared.Remote) error { return r.Lock(ctx) }
	for _, c := range []struct {
		address    string
		do         func(*shared.Remote) error
		says, hint string
	}{
		{as("reader"), lock, `user "reader" may read this baseline and not change it`, "roles"},
		{as("pinned"), lock, "takes no writes", "primary"},
		{as("nobody-known"), head, "does not exist", "check the user"},
		{s.Address("postgres", "absent"), head, "does not exist", "createdb"},
		{newer, head, "version 99, this program knows 1", "update"},
		{newer, lock, "version 99, this program knows 1", "update"},
		{foreign, head, `column "version" does not exist`, "another schema"},
		{foreign, lock, `column "version" does not exist`, "another schema"},
		{torn, lock, `column "bytes" of relation "gp_block" does not exist`, "another schema"},
		{address + "&foo=bar", head, "unrecognized configuration parameter", "question mark"},
		{address + "&search_path=nowhere", lock, "no schema", "search_path"},
		{strings.Replace(address, fmt.Sprint(s.Port), "1", 1), head, "refused", "network"},
		{"postgres://me:secret@host:notaport/x", head, "cannot be read", "looks like"},
	} {
		r, err := dialled(t, c.address)
		if err == nil {
			err = c.do(r)
		}
		e, ok := asStore(err)
		if !ok || !strings.Contains(e.Error(), c.says) || !strings.Contains(e.Hint, c.hint) || strings.Contains(e.Error()+e.Hint, "secret") {
			t.Errorf("%s: %v, hint %q", c.address, err, hintOf(e))
		}
	}
	if err := head(dial(t, as("reader"))); err != nil {
		t.Errorf("a user who may only read: %v", err)
	}
	if err := head(dial(t, s.Database(t))); !isA[*shared.NoneError](err) {
		t.Errorf("an empty database: %v", err)
	}
}

func asStore(err error) (*shared.StoreError, bool) { return errors.AsType[*shared.StoreError](err) }

func hintOf(e *shared.StoreError) string {
	if e == nil {
		return ""
	}
	return e.Hint
}
