package conformance

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/baselinetest/pgtest"
	"github.com/git-provenance/git-provenance/baseline/baselinetest/s3test"
)

func TestFolder(t *testing.T) {
	baselinetest.NewFolder()
	Run(t, Place{"folder", func(t testing.TB) string { return baselinetest.FolderAddress(filepath.Join(t.TempDir(), "store")) }})
}

func TestPostgres(t *testing.T) {
	s := pgtest.Start(t)
	Run(t, Place{"server", func(t testing.TB) string { return s.Database(t) }})
}

func TestBucket(t *testing.T) {
	s := s3test.Start(t)
	Run(t, Place{"bucket", func(t testing.TB) string { return s.Bucket(t) }})
}

// TestSharded spreads the blocks over two servers, as docs/SHARED.md does.
func TestSharded(t *testing.T) {
	s, second := pgtest.Start(t), pgtest.Start(t)
	Run(t, Place{"server with a second", func(t testing.TB) string {
		address, there := s.Database(t), second.Database(t)
		const columns = `(object text not null, number int4 not null, part int4 not null, bytes bytea not null`
		second.Exec(t, there, `create table gp_block `+columns+`, primary key (object, number, part))`)
		s.Exec(t, address, fmt.Sprintf(`create extension postgres_fdw;
			create server second foreign data wrapper postgres_fdw options (host '127.0.0.1', port '%d', dbname '%s', fetch_size '10000', batch_size '1000');
			create user mapping for postgres server second options (user 'postgres');
			create table gp_block %s) partition by range (part);
			create table gp_block_here partition of gp_block (primary key (object, number, part)) for values from (0) to (128);
			create foreign table gp_block_there partition of gp_block for values from (128) to (256) server second options (table_name 'gp_block')`,
			second.Port, second.Exec(t, there, `select current_database()`)[0], columns))
		t.Cleanup(func() {
			here, there := s.Exec(t, address, `select count(*) from gp_block_here`)[0], second.Exec(t, there, `select count(*) from gp_block`)[0]
			if here == "0" || there == "0" {
				t.Errorf("%s blocks are here and %s there", here, there)
			}
		})
		return address
	}})
}
