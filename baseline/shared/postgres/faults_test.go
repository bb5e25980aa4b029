package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/baselinetest/pgtest"
	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/shared"
)

// proxy passes connections on until a number of bytes was sent to the server, and then cuts them.
type proxy struct {
	mu      sync.Mutex
	to      string
	left    int64 // bytes until the cut
	sent    int64
	again   bool // connections after the cut are served
	cut     bool
	open    map[net.Conn]bool
	dialled int
	hangs   bool // swallows the bytes sent to the server
}

func (p *proxy) hang(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hangs = on
}

// through starts a proxy in front of an address.
func through(t *testing.T, s *pgtest.Server, address string) (*proxy, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{to: fmt.Sprint("127.0.0.1:", s.Port), left: 1 << 62, open: make(map[net.Conn]bool)}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	return p, strings.Replace(address, p.to, l.Addr().String(), 1)
}

func (p *proxy) serve(c net.Conn) {
	defer c.Close()
	p.mu.Lock()
	p.dialled++
	refused := p.cut && !p.again
	p.mu.Unlock()
	if refused {
		return
	}
	s, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer s.Close()
	p.mu.Lock()
	p.open[c], p.open[s] = true, true
	p.mu.Unlock()
	go func() {
		io.Copy(c, s)
		c.Close()
	}()
	io.Copy(writer{p, s}, c)
}

// writer counts the bytes sent to a server.
type writer struct {
	p *proxy
	s net.Conn
}

func (w writer) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	if w.p.hangs {
		return len(b), nil
	}
	w.p.sent += int64(len(b))
	if w.p.left -= int64(len(b)); w.p.left <= 0 && !w.p.cut {
		w.p.cut = true
		w.s.Write(b[:int64(len(b))+w.p.left])
		for c := range w.p.open {
			c.Close()
		}
		return 0, errors.New("cut")
	}
	return w.s.Write(b)
}

// reset lets left bytes through; again says whether connections after the cut are served.
func (p *proxy) reset(left int64, again bool) (sent int64, dialled int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent, dialled = p.sent, p.dialled
	p.left, p.again, p.cut, p.sent, p.dialled = left, again, false, 0, 0
	return sent, dialled
}

// quickly makes retries short.
func quickly(t *testing.T) {
	t.Helper()
	before := waits
	waits = []time.Duration{2 * time.Millisecond, 2 * time.Millisecond}
	t.Cleanup(func() { waits = before })
}

// TestWritersThatAreCutOff ends a commit at two hundred points. A reader sees the generation before or the new one,
// complete, and the new one if the writer was told so.
func TestWritersThatAreCutOff(t *testing.T) {
	quickly(t)
	s := pgtest.Start(t)
	address := s.Database(t)
	p, cut := through(t, s, address)
	l, _ := baselinetest.Object(t, "first", 40*chunkSize)
	if err := publish(t, cut, 0, []string{"first"}, l); err != nil {
		t.Fatal(err)
	}
	sent, _ := p.reset(1<<62, false)
	places := 200
	if testing.Short() {
		places = 40
	}
	number, last, lost := 1, "first", 0
	for i := range places {
		name := fmt.Sprint("object ", i)
		l, text := baselinetest.Object(t, name, 40*chunkSize)
		p.reset(sent*int64(i)/int64(places), false)
		failed := publish(t, cut, number, []string{name}, l)
		p.reset(1<<62, false)
		if failed == nil {
			lost++
		}
		g := headOf(t, address)
		switch {
		case g.Number == number+1 && g.Objects[0].Name == name && len(g.Objects) == 1:
			number, last = g.Number, name
			if !isWhole(t, address, name, text) {
				t.Fatalf("cut at %d of %d: the new generation is not whole", i, places)
			}
		case g.Number != number || len(g.Objects) != 1 || g.Objects[0].Name != last || failed == nil:
			t.Fatalf("cut at %d of %d: generation %d with %v, writer was told %v", i, places, g.Number, g.Objects, failed)
		}
	}
	if lost == places || number == 1 && lost > 0 {
		t.Errorf("%d of %d writers came through", lost, places)
	}
	if n := s.Exec(t, address, `select count(*) from gp_block where object not in (select name from gp_object)`)[0]; n != "0" {
		t.Errorf("%s blocks belong to nothing", n)
	}
}

func headOf(t *testing.T, address string) *shared.Snapshot {
	t.Helper()
	r := dial(t, address)
	defer r.Close()
	return newest(t, r)
}

func newest(t *testing.T, r *shared.Remote) *shared.Snapshot {
	t.Helper()
	s, err := r.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func isWhole(t *testing.T, address, name string, text []byte) bool {
	t.Helper()
	r := dial(t, address)
	defer r.Close()
	f, err := newest(t, r).Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return f.Need(disk.Range{Len: 1 << 40}) == nil && string(f.Data()) == string(text)
}

// TestReadersThatLoseTheirServer: a reader that can reconnect does not notice. One that cannot reconnect tries a few
// times and reports it.
func TestReadersThatLoseTheirServer(t *testing.T) {
	quickly(t)
	s := pgtest.Start(t)
	address := s.Database(t)
	l, text := baselinetest.Object(t, "a", 3000*chunkSize)
	if err := publish(t, address, 0, []string{"a"}, l); err != nil {
		t.Fatal(err)
	}
	p, cut := through(t, s, address)
	for _, left := range []int64{300, 500, 700, 900, 20_000} {
		p.reset(left, true)
		if !isWhole(t, cut, "a", text) {
			t.Errorf("cut after %d bytes: the object is not whole", left)
		}
	}
	p.reset(600, false)
	r, err := dialled(t, cut)
	if err == nil {
		_, err = r.Head(context.Background())
	}
	for err == nil {
		_, err = r.Head(context.Background())
	}
	if e, ok := asStore(err); !ok || !strings.Contains(e.Hint, "network") {
		t.Errorf("a server that is gone: %v", err)
	}
	if _, dialled := p.reset(1<<62, false); dialled > 2+2*len(waits) {
		t.Errorf("connected %d times to a server that is gone", dialled)
	}
	r = dial(t, address) // and a server that restarts
	before, err := r.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s.Down()
	if err := s.Up(); err != nil {
		t.Fatal(err)
	}
	if after, err := r.Head(context.Background()); err != nil || after.Number != before.Number {
		t.Errorf("after a restart of the server: %v", err)
	}
}

// TestReadersOfAServerThatHangs: if the network swallows everything, a read ends, once.
func TestReadersOfAServerThatHangs(t *testing.T) {
	before := stallAfter
	t.Cleanup(func() { stallAfter = before })
	s := pgtest.Start(t)
	address := s.Database(t)
	l, _ := baselinetest.Object(t, "a", 30*chunkSize)
	if err := publish(t, address, 0, []string{"a"}, l); err != nil {
		t.Fatal(err)
	}
	p, hanging := through(t, s, address)
	r := dial(t, hanging)
	g, err := r.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f, err := g.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p.reset(1<<62, true)
	p.hang(true)
	stallAfter = 200 * time.Millisecond // not before: a busy machine takes that long to answer
	err = f.Need(disk.Range{Len: 1 << 40})
	stallAfter = before
	if e, ok := asStore(err); !ok || !strings.Contains(e.Error(), "nothing came for 200ms") || !strings.Contains(e.Hint, "network") {
		t.Errorf("a server that hangs: %v", err)
	}
	if _, dialled := p.reset(1<<62, true); dialled > 1 {
		t.Errorf("connected %d times to a server that hangs", dialled)
	}
	p.hang(false)
	if err := f.Need(disk.Range{Len: 1 << 40}); err != nil {
		t.Errorf("once it answers again: %v", err)
	}
}

func TestWritersMeet(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	ctx := context.Background()
	first, second := dial(t, address), dial(t, address)
	if err := first.Lock(ctx); err != nil {
		t.Fatal(err)
	}
	before := lockWait
	lockWait = 10 * time.Millisecond
	err := second.Lock(ctx)
	lockWait = before
	if e, ok := errors.AsType[*shared.BusyError](err); !ok || !strings.Contains(e.Error(), `user "postgres" from 127.0.0.1`) {
		t.Errorf("a baseline that is being changed: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- second.Lock(ctx) }()
	l, _ := baselinetest.Object(t, "a", 10)
	if err := first.Commit(ctx, shared.Change{Manifest: []byte("1"), Keep: []string{"a"}, Add: []shared.Local{l}}); err != nil {
		t.Fatal(err)
	}
	first.Close()
	if err := <-done; err != nil {
		t.Errorf("the second writer after the first: %v", err)
	}
	l, _ = baselinetest.Object(t, "b", 10)
	if err := second.Commit(ctx, shared.Change{Manifest: []byte("1'"), Keep: []string{"b"}, Add: []shared.Local{l}}); !isA[*shared.ConflictError](err) {
		t.Errorf("a change of a generation that is not the newest: %v", err)
	}
	if g := headOf(t, address); g.Number != 1 || string(g.Manifest) != "1" {
		t.Errorf("generation %d, %q", g.Number, g.Manifest)
	}
}

// TestLockThatWasLost: a writer that lost its connection, and its lock to another writer, changes nothing, however
// often it tries.
func TestLockThatWasLost(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	ctx := context.Background()
	first, second := dial(t, address), dial(t, address)
	if err := first.Lock(ctx); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, address, `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`)
	if err := second.Lock(ctx); err != nil {
		t.Fatal(err)
	}
	l, _ := baselinetest.Object(t, "a", 10)
	for range 2 {
		if err := first.Commit(ctx, shared.Change{Manifest: []byte("1"), Keep: []string{"a"}, Add: []shared.Local{l}}); !isA[*shared.ConflictError](err) {
			t.Errorf("a commit without the lock: %v", err)
		}
	}
}

// TestWritersWithoutLock: if advisory locks have no effect, one of two commits wins.
func TestWritersWithoutLock(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	l, _ := baselinetest.Object(t, "a", 10)
	if err := publish(t, address, 0, []string{"a"}, l); err != nil {
		t.Fatal(err)
	}
	outcome := make(chan error, 4)
	for i := range cap(outcome) {
		l, _ := baselinetest.Object(t, fmt.Sprint("b", i), 200*chunkSize)
		r := dial(t, address)
		go func() {
			outcome <- r.Commit(context.Background(), shared.Change{From: 1, Manifest: []byte(l.Name), Keep: []string{l.Name}, Add: []shared.Local{l}})
		}()
	}
	won := 0
	for range cap(outcome) {
		if err := <-outcome; err == nil {
			won++
		} else if !isA[*shared.ConflictError](err) {
			t.Errorf("a writer that lost: %v", err)
		}
	}
	if g := headOf(t, address); won != 1 || g.Number != 2 || len(g.Objects) != 1 {
		t.Errorf("%d of four won; generation %d with %v", won, g.Number, g.Objects)
	}
}

// TestOldGenerations: objects that a reader has open stay for a while; after that it gets an error.
func TestOldGenerations(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	a, text := baselinetest.Object(t, "a", 100*chunkSize)
	if err := publish(t, address, 0, []string{"a"}, a); err != nil {
		t.Fatal(err)
	}
	open := func() *shared.File {
		g, err := dial(t, address).Head(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		f, err := g.Open("a")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f, older := open(), open()
	b, _ := baselinetest.Object(t, "b", chunkSize)
	if err := publish(t, address, 1, []string{"b"}, b); err != nil {
		t.Fatal(err)
	}
	if err := f.Need(disk.Range{Len: 1 << 40}); err != nil || string(f.Data()) != string(text) {
		t.Errorf("the generation before: %v", err)
	}
	s.Exec(t, address, `update gp_object set retired = retired - interval '2 hours'`)
	c, _ := baselinetest.Object(t, "c", chunkSize)
	if err := publish(t, address, 2, []string{"b", "c"}, c); err != nil {
		t.Fatal(err)
	}
	if err := older.Need(disk.Range{Len: 1}); !isA[*shared.GoneError](err) {
		t.Errorf("a generation long ago: %v", err)
	}
	if n := s.Exec(t, address, `select count(*) from gp_block`)[0]; n != "2" {
		t.Errorf("%s blocks are left, want 2", n)
	}
	a, _ = baselinetest.Object(t, "a", 100*chunkSize) // a retired object can come back
	b, _ = baselinetest.Object(t, "b", chunkSize)
	if err := publish(t, address, 3, []string{"c"}); err != nil {
		t.Fatal(err)
	}
	if err := publish(t, address, 4, []string{"a", "b", "c"}, a, b); err != nil {
		t.Fatal(err)
	}
	if !isWhole(t, address, "a", text) {
		t.Error("an object that came back is not whole")
	}
}

// TestServersThatLie returns data that no writer wrote.
func TestServersThatLie(t *testing.T) {
	s := pgtest.Start(t)
	for sql, says := range map[string]string{
		`update gp_block set bytes = substr(bytes, 2) where number = 3`:                        "has 3967 bytes",
		`delete from gp_block where number = 3`:                                                "missing in the store",
		`update gp_object set size = 4611686018427387904`:                                      "bytes",
		`update gp_object set size = -1`:                                                       "bytes",
		`update gp_generation set number = 9223372036854775807`:                                "",
		`alter table gp_block alter column number type int8`:                                   "another kind",
		`alter table gp_generation alter column manifest type text using '\x' || number::text`: "odd length",
	} {
		address := s.Database(t)
		l, _ := baselinetest.Object(t, "a", 10*chunkSize)
		if err := publish(t, address, 0, []string{"a"}, l); err != nil {
			t.Fatal(err)
		}
		s.Exec(t, address, sql)
		r := dial(t, address)
		g, err := r.Head(context.Background())
		if err == nil && says != "" {
			f, failed := g.Open("a")
			if err = failed; err == nil {
				err = f.Need(disk.Range{Len: 1 << 40})
			}
		}
		if says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestFullDisk makes the server answer as if its disk was full.
func TestFullDisk(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	a, _ := baselinetest.Object(t, "a", 10)
	if err := publish(t, address, 0, []string{"a"}, a); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, address, `create function disk_full() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
		create trigger no_room before insert on gp_block execute function disk_full()`)
	b, _ := baselinetest.Object(t, "b", 10)
	err := publish(t, address, 1, []string{"b"}, b)
	if e, ok := asStore(err); !ok || !strings.Contains(e.Hint, "make room") {
		t.Errorf("a full disk: %v", err)
	}
	if g := headOf(t, address); g.Number != 1 {
		t.Errorf("generation %d is there", g.Number)
	}
}

// TestMigration migrates tables of the version before, with their content.
func TestMigration(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	a, text := baselinetest.Object(t, "a", 5*chunkSize)
	if err := publish(t, address, 0, []string{"a"}, a); err != nil {
		t.Fatal(err)
	}
	before := migrations
	t.Cleanup(func() { migrations = before })
	migrations = append(before[:len(before):len(before)], []string{`alter table gp_generation add column note text`})
	if !isWhole(t, address, "a", text) {
		t.Error("a newer program cannot read tables of the version before")
	}
	outcome := make(chan error, 3)
	for range cap(outcome) {
		r := dial(t, address)
		go func() { outcome <- errors.Join(r.Lock(context.Background()), r.Close()) }()
	}
	for range cap(outcome) {
		if err := <-outcome; err != nil {
			t.Errorf("one of several that migrate: %v", err)
		}
	}
	if v := s.Exec(t, address, `select string_agg(version::text, ' ' order by version) from gp_schema`)[0]; v != "1 2" {
		t.Errorf("versions %s", v)
	}
	if !isWhole(t, address, "a", text) {
		t.Error("the migration lost what was there")
	}
	migrations = before
	if _, err := dial(t, address).Head(context.Background()); err == nil || !strings.Contains(err.Error(), "version 2, this program knows 1") {
		t.Errorf("an older program: %v", err)
	}
}
