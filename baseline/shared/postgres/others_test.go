package postgres

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// answering starts a server that runs do for each connection, and returns its address.
func answering(t *testing.T, do func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				do(c)
			}()
		}
	}()
	return fmt.Sprintf("postgres://me@%s/code?sslmode=disable", l.Addr())
}

// ofVersion is a server that accepts every user and reports its version.
func ofVersion(version string) func(net.Conn) {
	return func(c net.Conn) {
		b := pgproto3.NewBackend(c, c)
		if _, err := b.ReceiveStartupMessage(); err != nil {
			return
		}
		b.Send(&pgproto3.AuthenticationOk{})
		b.Send(&pgproto3.ParameterStatus{Name: "server_version", Value: version})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if b.Flush() == nil {
			b.Receive() // until the client disconnects
		}
	}
}

// TestOtherServers: a server that is too old, and one that is not a database.
func TestOtherServers(t *testing.T) {
	quickly(t)
	for _, c := range []struct{ address, says, hint string }{
		{answering(t, ofVersion("9.6.24")), "PostgreSQL 9.6.24", "version 12 or newer"},
		{answering(t, func(c net.Conn) { c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) }), "", "network"},
	} {
		r, err := dialled(t, c.address)
		if err == nil {
			_, err = r.Head(context.Background())
		}
		if e, ok := asStore(err); !ok || !strings.Contains(e.Error(), c.says) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%q: %v, hint %q", c.says, err, hintOf(e))
		}
	}
	if _, err := dialled(t, answering(t, ofVersion("99.1"))); err != nil {
		t.Errorf("a newer server: %v", err)
	}
}
