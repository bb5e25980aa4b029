package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/jackc/pgx/v5/pgconn"
)

// lost reports whether a connection ended.
func lost(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err) || strings.Contains(err.Error(), "conn closed")
}

// hints maps SQLSTATE codes to hints for the user.
var hints = map[string]string{
	"28P01": "check the user, and the password in ~/.pgpass or PGPASSWORD",
	"28000": "check the user and PGSSLMODE, and what pg_hba.conf of the server allows",
	"3D000": "make the database first, such as with createdb",
	"3F000": "name a schema that is there: add ?search_path=NAME to the address",
	"42501": "this user lacks the right: see the roles in docs/SHARED.md",
	"25006": "the server takes no writes: name the primary, or a user whose transactions may write",
	"42704": "the address sets something that the server does not know: compare what follows its question mark",
	"53100": "make room on the server's disk; nothing was changed",
	"53200": "the server lacks memory: run it again later",
	"53300": "the server has as many connections as it takes: raise max_connections, or run fewer scans at a time",
	"42703": foreignHint,
	"42804": foreignHint,
	"42883": foreignHint,
	"42P10": foreignHint,
}

const foreignHint = "tables of these names are not those of this program: name another schema with ?search_path=NAME"

// told adds a hint to an error, with the server's words on one line.
func (s *server) told(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if own, ok := errors.AsType[*ownError](err); ok {
		return own.err
	}
	for _, ours := range []bool{isA[*shared.StoreError](err), isA[*shared.NoneError](err), isA[*shared.GoneError](err), isA[*shared.ConflictError](err), isA[*shared.BusyError](err)} {
		if ours {
			return err
		}
	}
	words := strings.Join(strings.Fields(err.Error()), " ")
	hint := "check the host, the port, the network and the log of the server, and run it again"
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		words, hint = strings.TrimSpace(e.Message+" (SQLSTATE "+e.Code+")"), hints[e.Code]
	}
	return s.refuse(errors.New(words), hint)
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// noTable reports whether tables are missing.
func noTable(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == "42P01"
}
