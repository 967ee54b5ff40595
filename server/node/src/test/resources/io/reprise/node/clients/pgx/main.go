// Command pgx uses pgx and lib/pq at a port given as the argument.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/lib/pq"
)

func check(name string, err error) {
	if err != nil {
		fmt.Println("FAILED", name, err)
		os.Exit(1)
	}
}

func must(name string, ok bool, what ...any) {
	if !ok {
		check(name, fmt.Errorf("unexpected: %v", what))
	}
}

func main() {
	ctx := context.Background()
	url := "postgres://ann@127.0.0.1:" + os.Args[1] + "/bank?sslmode=disable"
	c, err := pgx.Connect(ctx, url)
	check("connect", err)
	values(ctx, c)
	errorsAndTransactions(ctx, c)
	pool(ctx, url)
	libpq(url)
}

func values(ctx context.Context, c *pgx.Conn) {
	_, err := c.Exec(ctx, "CREATE TABLE gx (id INTEGER PRIMARY KEY, name TEXT, n NUMERIC(10,2), ok BOOLEAN, t TIMESTAMP, b BYTEA, f DOUBLE PRECISION, d DATE)")
	check("create", err)
	t := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	_, err = c.Exec(ctx, "INSERT INTO gx VALUES ($1,$2,$3,$4,$5,$6,$7,$8)", 1, "a", "1.25", true, t, []byte{1, 2}, 1.5, t)
	check("insert", err)
	var n float64
	var made time.Time
	var b []byte
	check("select", c.QueryRow(ctx, "SELECT n, t, b FROM gx WHERE id = $1", 1).Scan(&n, &made, &b))
	must("select", n == 1.25 && made.Equal(t) && len(b) == 2, n, made, b)

	batch := &pgx.Batch{}
	for i := 10; i < 20; i++ {
		batch.Queue("INSERT INTO gx (id, name) VALUES ($1, $2)", i, "x")
	}
	check("batch", c.SendBatch(ctx, batch).Close())
	rows := [][]any{}
	for i := 100; i < 200; i++ {
		rows = append(rows, []any{int32(i), "c"})
	}
	copied, err := c.CopyFrom(ctx, pgx.Identifier{"gx"}, []string{"id", "name"}, pgx.CopyFromRows(rows))
	check("copy", err)
	must("copy", copied == 100, copied)
	var count int64
	check("array", c.QueryRow(ctx, "SELECT COUNT(*) FROM gx WHERE id = ANY($1)", []int32{1, 10, 150}).Scan(&count))
	must("array", count == 3, count)
	fmt.Println("ok values")
}

func errorsAndTransactions(ctx context.Context, c *pgx.Conn) {
	_, err := c.Exec(ctx, "INSERT INTO gx (id) VALUES (1)")
	var failure *pgconn.PgError
	must("error", errors.As(err, &failure) && failure.Code == "23505" && failure.TableName == "gx" && failure.ConstraintName == "gx_pk", err)
	check("transaction", pgx.BeginFunc(ctx, c, func(outer pgx.Tx) error {
		if _, err := outer.Exec(ctx, "UPDATE gx SET name = 'y' WHERE id = 10"); err != nil {
			return err
		}
		_ = pgx.BeginFunc(ctx, outer, func(inner pgx.Tx) error {
			_, _ = inner.Exec(ctx, "UPDATE gx SET name = 'z' WHERE id = 11")
			return errors.New("undone")
		})
		return nil
	}))
	var count int64
	check("savepoint", c.QueryRow(ctx, "SELECT COUNT(*) FROM gx WHERE name IN ('y', 'z')").Scan(&count))
	must("savepoint", count == 1, count)
	fmt.Println("ok transactions")
}

func pool(ctx context.Context, url string) {
	p, err := pgxpool.New(ctx, url)
	check("pool", err)
	defer p.Close()
	ended := make(chan error, 50)
	for i := 0; i < 50; i++ {
		go func() {
			var n int
			ended <- p.QueryRow(ctx, "SELECT 1").Scan(&n)
		}()
	}
	for i := 0; i < 50; i++ {
		check("pool", <-ended)
	}
	limited, end := context.WithTimeout(ctx, 300*time.Millisecond)
	defer end()
	_, err = p.Exec(limited, "SELECT COUNT(*) FROM gx a, gx b, gx c, gx d, gx e, gx f WHERE a.id+b.id+c.id+d.id+e.id+f.id = 1")
	must("timeout", err != nil)
	fmt.Println("ok pool")
}

func libpq(url string) {
	db, err := sql.Open("postgres", url)
	check("lib/pq", err)
	defer db.Close()
	var name string
	check("lib/pq select", db.QueryRow("SELECT name FROM gx WHERE id = $1", 1).Scan(&name))
	tx, err := db.Begin()
	check("lib/pq begin", err)
	s, err := tx.Prepare(pq.CopyIn("gx", "id", "name"))
	check("lib/pq copy", err)
	for i := 300; i < 310; i++ {
		_, err = s.Exec(i, "q")
		check("lib/pq copy", err)
	}
	_, err = s.Exec()
	check("lib/pq copy", err)
	check("lib/pq copy", s.Close())
	check("lib/pq commit", tx.Commit())
	_, err = db.Exec("INSERT INTO gx (id) VALUES (1)")
	var failure *pq.Error
	must("lib/pq error", errors.As(err, &failure) && failure.Table == "gx", err)
	fmt.Println("ok lib/pq")
}
