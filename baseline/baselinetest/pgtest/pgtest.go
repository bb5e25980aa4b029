// Package pgtest starts PostgreSQL servers for tests: on free local ports, as an unprivileged user, in temporary
// directories.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Bin is the environment variable with the directory of initdb and postgres. It is needed if they are not on the path
// and not in Debian's place.
const Bin = "POSTGRES_BIN"

// Server is a running server. Its superuser is "postgres", who needs no password.
type Server struct {
	Port int
	Bin  string // directory of its programs
	dir  string
	run  *exec.Cmd
	next int
}

// find returns the directory of the newest server's programs, or "".
func find() string {
	if dir := os.Getenv(Bin); dir != "" {
		return dir
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	dirs, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(dirs) == 0 {
		return ""
	}
	slices.SortFunc(dirs, func(a, b string) int { return release(a) - release(b) })
	return dirs[len(dirs)-1]
}

func release(dir string) int {
	n, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	if err != nil {
		return 0
	}
	return n
}

// Start starts a server that ends with the test. Without PostgreSQL the test is skipped, or fails if CI is set.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	bin := find()
	if bin == "" {
		if os.Getenv("CI") != "" {
			t.Fatalf("PostgreSQL is not installed, nor does %s name it", Bin)
		}
		t.Skipf("PostgreSQL is not installed, nor does %s name it", Bin)
	}
	dir, err := os.MkdirTemp("", "pg") // short, since a socket is in it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{Bin: bin, dir: dir}
	if err := s.init(settings); err != nil {
		t.Fatalf("make a database cluster: %v", err)
	}
	if err := s.Up(); err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	t.Cleanup(s.Down)
	return s
}

func (s *Server) init(settings []string) error {
	if os.Getuid() == 0 {
		if err := os.Chown(s.dir, unprivileged, unprivileged); err != nil {
			return err
		}
	}
	if out, err := s.command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync").CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Port = l.Addr().(*net.TCPAddr).Port
	conf := []string{"listen_addresses = '127.0.0.1'", fmt.Sprint("port = ", s.Port), "unix_socket_directories = '" + s.dir + "'", "fsync = off", "max_wal_size = 2GB"}
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("\n" + strings.Join(append(conf, settings...), "\n") + "\n")
		err = errors.Join(err, f.Close())
	}
	return errors.Join(err, l.Close())
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// command runs a program of the server as an unprivileged user.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.Bin, name), args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "LC_ALL=C", "HOME="+s.dir)
	drop(c)
	return c
}

// Up starts the server and waits until it answers.
func (s *Server) Up() error {
	s.run = s.command("postgres", "-D", s.data())
	log := &tail{}
	s.run.Stdout, s.run.Stderr = log, log
	if err := s.run.Start(); err != nil {
		return err
	}
	for range 200 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		c, err := pgconn.Connect(ctx, s.Address("postgres", "postgres"))
		if err == nil {
			c.Close(ctx)
		}
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Down()
	return fmt.Errorf("it does not answer: %s", log)
}

// Down ends the server at once, with all its connections.
func (s *Server) Down() {
	if s.run == nil {
		return
	}
	s.run.Process.Signal(os.Interrupt) // a fast shutdown
	s.run.Wait()
	s.run = nil
}

// Address returns the address of a database for a user.
func (s *Server) Address(user, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(user), Host: fmt.Sprint("127.0.0.1:", s.Port), Path: "/" + database, RawQuery: "sslmode=disable"}
	return u.String()
}

// Database makes a database and returns its address for the superuser.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.next++
	name := fmt.Sprint("base", s.next)
	s.Exec(t, s.Address("postgres", "postgres"), "create database "+name)
	return s.Address("postgres", name)
}

// Exec runs SQL at an address and returns the rows of the last statement, with tabs between the columns.
func (s *Server) Exec(t testing.TB, address, sql string) []string {
	t.Helper()
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	rs, err := c.Exec(ctx, sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var out []string
	for _, row := range rs[len(rs)-1].Rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, string(v))
		}
		out = append(out, strings.Join(cells, "\t"))
	}
	return out
}

// tail keeps the end of a server's output.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = append(l.b, p...)
	l.b = l.b[max(0, len(l.b)-4096):]
	return len(p), nil
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.b)
}
