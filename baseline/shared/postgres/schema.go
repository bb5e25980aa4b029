package postgres

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// migrations lead from each version of the tables to the next. One that was released is
// never changed. A table that is there already stays: it may have been made by hand, in
// partitions or on several servers.
var migrations = [][]string{
	{
		`create table if not exists gp_generation (number int8 primary key, manifest bytea not null)`,
		`create table if not exists gp_object (name text primary key, size int8 not null, retired timestamptz)`,
		`create table if not exists gp_block (object text not null, number int4 not null, part int4 not null, bytes bytea not null, primary key (object, number, part))`,
	},
}

// query runs statements that take no parameters, separated by semicolons, and returns
// the rows of each in text.
func (s *server) query(ctx context.Context, sql string) (results [][][][]byte, err error) {
	all, err := s.conn.Exec(ctx, sql).ReadAll()
	for _, r := range all {
		results = append(results, r.Rows)
	}
	return results, err
}

// one runs a statement that returns one row of so many columns.
func (s *server) one(ctx context.Context, columns int, sql string) ([][]byte, error) {
	rs, err := s.query(ctx, sql)
	if err == nil && (len(rs) != 1 || len(rs[0]) != 1 || len(rs[0][0]) != columns) {
		err = &ownError{fmt.Errorf("baseline %q: the server answers %q otherwise than expected", s.name, sql)}
	}
	if err != nil {
		return nil, err
	}
	return rs[0][0], nil
}

// version returns the version of the tables, 0 if there are none.
func (s *server) version(ctx context.Context) (int, error) {
	row, err := s.one(ctx, 1, `select max(version) from gp_schema`)
	if noTable(err) {
		return 0, nil
	}
	if err != nil || row[0] == nil {
		return 0, err
	}
	return s.checkVersion(row[0])
}

// checkVersion refuses tables of a newer program.
func (s *server) checkVersion(text []byte) (int, error) {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 1 {
		return 0, s.refuse(fmt.Errorf("its tables have version %q", text), foreignHint)
	}
	if v > len(migrations) {
		return 0, s.refuse(fmt.Errorf("its tables have version %d, this program knows %d", v, len(migrations)), "update git-provenance: a newer one has changed this baseline")
	}
	return v, nil
}

// migrate brings the tables to the newest version. Of several programs one does.
func (s *server) migrate(ctx context.Context) error {
	v, err := s.version(ctx)
	if err != nil || v == len(migrations) {
		return err
	}
	return s.within(ctx, func() error {
		if _, err := s.query(ctx, fmt.Sprintf(`select pg_advisory_xact_lock(%d)`, s.key+1)); err != nil {
			return err
		}
		if _, err := s.query(ctx, `create table if not exists gp_schema (version int4 primary key)`); err != nil {
			return err
		}
		if v, err = s.version(ctx); err != nil { // another may have been first
			return err
		}
		for ; v < len(migrations); v++ {
			sql := append(slices.Clone(migrations[v]), fmt.Sprintf(`insert into gp_schema (version) values (%d)`, v+1))
			if _, err := s.query(ctx, strings.Join(sql, ";")); err != nil {
				return err
			}
		}
		return s.keepInline(ctx)
	})
}

// keepInline has PostgreSQL itself keep a row in one piece: its bytes are compressed
// already, and a second table takes a second look-up. That is said of the name too, or it
// goes there in their place, as a row of half a page counts as long. What is not a plain
// table is left to who made it.
func (s *server) keepInline(ctx context.Context) error {
	row, err := s.one(ctx, 2, `select version(), (select relkind from pg_class where oid = 'gp_block'::regclass)`)
	if err != nil {
		return err
	}
	if v := string(row[0]); !strings.HasPrefix(v, "PostgreSQL") || strings.Contains(v, "-YB-") || string(row[1]) != "r" {
		return nil
	}
	_, err = s.query(ctx, `alter table gp_block alter column bytes set storage plain, alter column object set storage plain`)
	return err
}

// within runs statements in one transaction.
func (s *server) within(ctx context.Context, do func() error) error {
	if _, err := s.query(ctx, `begin`); err != nil {
		return err
	}
	err := do()
	if err == nil {
		_, err = s.query(ctx, `commit`)
	}
	if err != nil && s.conn != nil && !s.conn.IsClosed() {
		if _, failed := s.query(ctx, `rollback`); failed != nil {
			s.hangUp() // it is rolled back by that
		}
	}
	return err
}

// writable refuses users and servers that may not write before any work is done for them.
func (s *server) writable(ctx context.Context) error {
	row, err := s.one(ctx, 2, `select current_setting('transaction_read_only'), has_table_privilege('gp_generation', 'insert') and has_table_privilege('gp_block', 'insert') and has_table_privilege('gp_object', 'insert')`)
	switch {
	case err != nil:
		return err
	case string(row[0]) == "on":
		return s.refuse(fmt.Errorf("the server takes no writes from this user"), hints["25006"])
	case string(row[1]) != "t":
		return s.refuse(fmt.Errorf("user %q may read this baseline and not change it", s.config.User), hints["42501"])
	}
	return nil
}

// lockKey is the number of the advisory lock of a schema.
func lockKey(schema []byte) int64 {
	h := fnv.New64a()
	h.Write([]byte("git-provenance "))
	h.Write(schema)
	return int64(h.Sum64() &^ 1) // the next one is that of migrations
}
