-- RETURNING: the values of the rows that a statement has written.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b VARCHAR(40) DEFAULT 'none', c VARCHAR(4));
PARTITION TABLE t ON COLUMN id;
CREATE TABLE r (id INTEGER NOT NULL PRIMARY KEY, a INTEGER UNIQUE, b VARCHAR(40));
CREATE TABLE keyless (a INTEGER, b VARCHAR(40));
INSERT INTO t (id, a) VALUES (1, 10) RETURNING id, b, a * 2 AS twice;
--> 1 | none | 20
INSERT INTO t VALUES (?, ?, 'a string that is kept apart', 'c') RETURNING *, a + ? AS more;
--? 2, 20, 5
--> 2 | 20 | a string that is kept apart | c | 25
INSERT INTO t VALUES (4, 40, 'd', NULL), (3, 30, 'c', NULL) RETURNING id;
--> 3
--> 4
UPDATE t SET a = a + 1 WHERE id = 2 RETURNING a, b, c;
--> 21 | a string that is kept apart | c
UPDATE t AS x SET a = a + 1, b = 'new' WHERE x.a > 25 RETURNING x.id, x.a, UPPER(b);
--> 3 | 31 | NEW
--> 4 | 41 | NEW
DELETE FROM t WHERE a > 30 RETURNING id, b || '!' AS gone;
--> 3 | new!
--> 4 | new!
DELETE FROM t WHERE id = 99 RETURNING id;
DELETE FROM t WHERE id = 2 RETURNING t.b;
--> a string that is kept apart
INSERT INTO t VALUES (1, 5, 'five', NULL), (5, 50, 'x', NULL) ON CONFLICT (id) DO NOTHING RETURNING id, a;
--> 5 | 50
INSERT INTO t (id, a) VALUES (5, 55) ON CONFLICT (id) DO UPDATE SET a = EXCLUDED.a RETURNING *;
--> 5 | 55 | x | NULL
UPSERT INTO t (id, b) VALUES (5, 'upsert'), (6, 'fresh') RETURNING id, a, b;
--> 5 | 55 | upsert
--> 6 | NULL | fresh
-- A failure of what is returned takes the write back.
UPDATE t SET a = 0 WHERE id = 5 RETURNING 1 / a;
--! division by zero
INSERT INTO t (id, a) VALUES (7, 0) RETURNING 1 / a;
--! division by zero
DELETE FROM t WHERE id = 5 RETURNING 1 / (a - 55);
--! division by zero
SELECT id, a FROM t ORDER BY id;
--> 1 | 10
--> 5 | 55
--> 6 | NULL
-- Replicated tables, whose rows are written alike in all partitions.
INSERT INTO r VALUES (2, 20, 'two'), (1, 10, 'one') RETURNING id, b;
--> 2 | two
--> 1 | one
UPDATE r SET a = 30 - a RETURNING id, a;
--> 1 | 20
--> 2 | 10
INSERT INTO r SELECT id + 10, a + 100, b FROM r WHERE id > 0 RETURNING id, a, b;
--> 11 | 120 | one
--> 12 | 110 | two
DELETE FROM r WHERE id > 1 RETURNING b;
--> one
--> two
--> two
INSERT INTO keyless VALUES (1, 'x'), (1, 'x'), (0, 'y') RETURNING a;
--> 1
--> 1
--> 0
UPDATE keyless SET a = a + 1 RETURNING a, b;
--> 1 | y
--> 2 | x
--> 2 | x
DELETE FROM keyless USING r WHERE keyless.a = r.id RETURNING keyless.b;
--> y
UPDATE keyless SET b = r.b FROM r WHERE keyless.a = r.id + 1 RETURNING keyless.b;
--> one
--> one
EXPLAIN DELETE FROM r WHERE id = 1 RETURNING b || 'x' AS y;
--> scope: EVERYWHERE
--> delete from R returning R.B || 'x'
-->   unique lookup R by R_PK: ID = 1
DELETE FROM r RETURNING COUNT(*);
--! RETURNING takes no aggregates
DELETE FROM r RETURNING (SELECT MAX(id) FROM t);
--! RETURNING takes no query
DELETE FROM r RETURNING nothing;
--! NOTHING
