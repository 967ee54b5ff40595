-- INSERT with ON CONFLICT: rows whose primary key exists are skipped, or get the values that EXCLUDED has.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b VARCHAR(20) DEFAULT 'none');
PARTITION TABLE t ON COLUMN id;
CREATE TABLE pair (x INTEGER NOT NULL, y VARCHAR(5) NOT NULL, n INTEGER UNIQUE, PRIMARY KEY (x, y));
CREATE TABLE keyless (a INTEGER);
INSERT INTO t VALUES (1, 10, 'one') ON CONFLICT DO NOTHING;
--> 1
INSERT INTO t VALUES (1, 11, 'again'), (2, 20, 'two') ON CONFLICT (id) DO NOTHING;
--> 1
INSERT INTO t VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET a = EXCLUDED.a;
--? 1, 12, param
--> 1
--? 3, 30, three
--> 1
SELECT * FROM t ORDER BY id;
--> 1 | 12 | one
--> 2 | 20 | two
--> 3 | 30 | three
INSERT INTO t (id, a) VALUES (2, 21) ON CONFLICT (id) DO UPDATE SET (a, b) = (EXCLUDED.a, EXCLUDED.b);
--> 1
SELECT a, b FROM t WHERE id = 2;
--> 21 | none
INSERT INTO t SELECT id, a + 1, b FROM t ON CONFLICT (id) DO UPDATE SET a = EXCLUDED.a;
--> 3
SELECT id, a FROM t ORDER BY id;
--> 1 | 13
--> 2 | 22
--> 3 | 31
INSERT INTO pair VALUES (1, 'a', 1), (1, 'b', 2), (1, 'a', 3) ON CONFLICT (y, x) DO NOTHING;
--> 2
SELECT n FROM pair ORDER BY n;
--> 1
--> 2
INSERT INTO pair VALUES (2, 'c', 1) ON CONFLICT (x, y) DO NOTHING;
--! which unique index PAIR_N_UNIQUE forbids
INSERT INTO pair VALUES (2, 'c', 1) ON CONFLICT DO NOTHING;
--! table PAIR has other unique keys, whose conflicts are errors: write ON CONFLICT (X, Y)
INSERT INTO t VALUES (1, 1, '') ON CONFLICT (a) DO NOTHING;
--! ON CONFLICT takes the primary key of table T: (ID)
INSERT INTO t VALUES (1, 1, '') ON CONFLICT DO UPDATE SET a = EXCLUDED.a;
--! DO UPDATE needs the key behind ON CONFLICT: (ID)
INSERT INTO t VALUES (1, 1, '') ON CONFLICT (id) DO UPDATE SET a = t.a + 1;
--> 1
INSERT INTO t VALUES (1, 1, '') ON CONFLICT (id) DO UPDATE SET a = EXCLUDED.a WHERE t.a > 1;
--> 1
INSERT INTO keyless VALUES (1) ON CONFLICT DO NOTHING;
--! ON CONFLICT needs a primary key, and table KEYLESS has none
INSERT INTO nowhere VALUES (1) ON CONFLICT DO NOTHING;
--! there is no table NOWHERE
UPSERT INTO t VALUES (1, 1, '') ON CONFLICT DO NOTHING;
--! UPSERT updates the rows that exist: write INSERT with ON CONFLICT
EXPLAIN INSERT INTO t VALUES (1, 1, '') ON CONFLICT DO NOTHING;
--~ insert rows with new keys into T
