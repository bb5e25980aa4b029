package postgres

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// migrations lead from each version of the tables to the next. A released migration is never changed. An existing table
// stays: it may have been made by hand, with partitions or on several servers.
var migrations = [][]string{
	{
		`create table if not exists gp_generation (number int8 primary key, manifest bytea not null)`,
		`create table if not exists gp_object (name text primary key, size int8 not null, retired timestamptz)`,
		`create table if not exists gp_block (object text not null, number int4 not null, part int4 not null, bytes bytea not null, primary key (object, number, part))`,
	},
}

// query runs statements without parameters, separated by semicolons, and returns the rows of each in text form.
func (s *server) query(ctx context.Context, sql string) (results [][][][]byte, err error) {
	all, err := s.conn.Exec(ctx, sql).ReadAll()
	for _, r := range all {
		results = append(results, r.Rows)
	}
	return results, err
}

// one runs a statement that must return one row with this number of columns.
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

// version returns the version of the tables, or 0 if there are none.
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

// migrate brings the tables to the newest version. If several programs try, only one does it.
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
		if v, err = s.version(ctx); err != nil { // another program may have done it
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

// keepInline makes PostgreSQL store a row in one piece. Its bytes are already compressed, and a second table would need
// a second look-up. The name needs the same setting: a row of half a page counts as long, so the name would be moved
// instead. Only plain tables are changed; others are left to their creator.
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
			s.hangUp() // that also rolls it back
		}
	}
	return err
}

// writable fails early for users and servers that may not write.
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

// lockKey returns the number of a schema's advisory lock.
func lockKey(schema []byte) int64 {
	h := fnv.New64a()
	h.Write([]byte("git-provenance "))
	h.Write(schema)
	return int64(h.Sum64() &^ 1) // the next number is the lock of migrations
}
