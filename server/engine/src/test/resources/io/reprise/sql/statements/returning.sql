-- RETURNING: the values of the rows that a statement has written.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b VARCHAR(40) DEFAULT 'none', c VARCHAR(4));
PARTITION TABLE t ON COLUMN id;
CREATE TABLE r (id INTEGER NOT NULL PRIMARY KEY, a INTEGER UNIQUE, b VARCHAR(40));
CREATE TABLE w (id INTEGER NOT NULL PRIMARY KEY, b VARCHAR(60));
PARTITION TABLE w ON COLUMN id;
CREATE TABLE r2 (id INTEGER NOT NULL PRIMARY KEY, b VARCHAR(9));
CREATE TABLE keyless (a INTEGER, b VARCHAR(40));
INSERT INTO t (id, a) VALUES (1, 10) RETURNING id, b, a * 2 AS twice;
--> 1 | none | 20
INSERT INTO t VALUES (?, ?, 'a string that is kept apart', 'c') RETURNING *, a + ? AS more;
--? 2, 20, 5
--> 2 | 20 | a string that is kept apart | c | 25
INSERT INTO t VALUES (4, 40, 'd', NULL), (3, 30, 'c', NULL) RETURNING id;
--> 4
--> 3
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
INSERT INTO r2 VALUES (1, 'b'), (2, 'c'), (3, 'a');
--> 3
-- The rows of VALUES keep their order across partitions: drivers assign generated keys by it.
INSERT INTO w (id, b) VALUES (9, 'nine'), (?, 'three'), (14, 'fourteen'), (1, 'one'), (7, 'seven'), (2 * 10, UPPER('twenty')) RETURNING b, id;
--? 3
--> nine | 9
--> three | 3
--> fourteen | 14
--> one | 1
--> seven | 7
--> TWENTY | 20
INSERT INTO w (id, b) VALUES (105, 'row 105'), (103, 'row 103'), (114, 'row 114'), (101, 'row 101'), (107, 'row 107'), (120, 'row 120'), (106, 'row 106'), (112, 'row 112'), (118, 'row 118'), (102, 'row 102'), (116, 'row 116'), (111, 'row 111'), (104, 'row 104'), (119, 'row 119'), (108, 'row 108'), (113, 'row 113'), (110, 'row 110'), (117, 'row 117'), (109, 'row 109'), (115, 'row 115') RETURNING id, b;
--> 105 | row 105
--> 103 | row 103
--> 114 | row 114
--> 101 | row 101
--> 107 | row 107
--> 120 | row 120
--> 106 | row 106
--> 112 | row 112
--> 118 | row 118
--> 102 | row 102
--> 116 | row 116
--> 111 | row 111
--> 104 | row 104
--> 119 | row 119
--> 108 | row 108
--> 113 | row 113
--> 110 | row 110
--> 117 | row 117
--> 109 | row 109
--> 115 | row 115
INSERT INTO w VALUES (30, 'x'), (9, 'y'), (8, 'z'), (1, 'y'), (29, 'x') ON CONFLICT (id) DO NOTHING RETURNING id;
--> 30
--> 8
--> 29
INSERT INTO w VALUES (31, 'd'), (9, 'new'), (8, 'new'), (28, 'c') ON CONFLICT (id) DO UPDATE SET b = EXCLUDED.b RETURNING *;
--> 31 | d
--> 9 | new
--> 8 | new
--> 28 | c
INSERT INTO w VALUES (42, '2'), (41, '1'), (9, '0') RETURNING id;
--! W_PK
INSERT INTO w VALUES (44, '1'), (43, '0'), (45, '5') RETURNING id, 10 / CAST(b AS INTEGER);
--! division by zero
SELECT COUNT(*) FROM w WHERE id BETWEEN 40 AND 50;
--> 0
UPSERT INTO w VALUES (52, 'b'), (51, 'a'), (50, '0') RETURNING b;
--> b
--> a
--> 0
INSERT INTO w SELECT 60 - id, b FROM r2 ORDER BY b RETURNING id, b;
--> 57 | a
--> 59 | b
--> 58 | c
EXPLAIN INSERT INTO w VALUES (62, 'b'), (61, 'a') RETURNING b;
--> scope: ALL
--> in each partition:
-->   insert into W (rows of own buckets only) returning W.B
-->     values: 2 rows
--> over their results:
-->   project COLUMN_1
-->     sort by ROW_NUMBER
-->       gathered rows
