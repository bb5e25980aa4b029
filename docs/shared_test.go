package docs

import (
	"fmt"
	"os"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/baselinetest/pgtest"
)

// TestShared runs the document against a server of its own.
func TestShared(t *testing.T) {
	server := pgtest.Start(t)
	for name, value := range map[string]string{"PGHOST": "127.0.0.1", "PGPORT": fmt.Sprint(server.Port), "PGUSER": "postgres", "PGSSLMODE": "disable", "PATH": os.Getenv("PATH") + ":" + server.Bin} {
		t.Setenv(name, value)
	}
	consoles(t, "SHARED.md")
}
