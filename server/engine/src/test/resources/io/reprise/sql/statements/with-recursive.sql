-- WITH RECURSIVE. The results are PostgreSQL's.
CREATE TABLE part (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER, name VARCHAR(20));
CREATE TABLE edge (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b));
CREATE TABLE split (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER);
PARTITION TABLE split ON COLUMN id;
INSERT INTO part VALUES (1, NULL, 'car'), (2, 1, 'engine'), (3, 1, 'wheel'), (4, 2, 'piston'), (5, 4, 'ring');
INSERT INTO edge VALUES (1, 2), (2, 3), (3, 1), (3, 4);
INSERT INTO split VALUES (1, NULL), (2, 1), (3, 1), (4, 2), (5, 4);
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n;
--> 1
--> 2
--> 3
--> 4
--> 5
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT COUNT(*), SUM(i) FROM n;
--> 100000 | 5000050000
WITH RECURSIVE below AS (SELECT id, name, 0 AS depth FROM part WHERE parent IS NULL
  UNION ALL SELECT p.id, p.name, depth + 1 FROM part AS p JOIN below AS b ON p.parent = b.id)
SELECT depth, name FROM below ORDER BY depth, name;
--> 0 | car
--> 1 | engine
--> 1 | wheel
--> 2 | piston
--> 3 | ring
WITH RECURSIVE below AS (SELECT * FROM part WHERE id = 2 UNION SELECT p.* FROM part p, below WHERE p.parent = below.id)
SELECT * FROM below;
--> 2 | 1 | engine
--> 4 | 2 | piston
--> 5 | 4 | ring
WITH RECURSIVE path AS (SELECT id, name FROM part WHERE parent IS NULL
  UNION ALL SELECT p.id, path.name || '/' || p.name FROM path JOIN part p ON p.parent = path.id)
SELECT name FROM path WHERE id = 5;
--> car/engine/piston/ring
WITH RECURSIVE reached (at) AS (SELECT 1 UNION SELECT b FROM edge, reached WHERE a = at) SELECT at FROM reached ORDER BY at;
--> 1
--> 2
--> 3
--> 4
WITH RECURSIVE t (n, parity) AS (SELECT 1, NULL UNION ALL SELECT n + 1, CASE WHEN n % 2 = 0 THEN 'odd' END FROM t WHERE n < 3)
SELECT n, parity, COUNT(parity) OVER () FROM t;
--> 1 | NULL | 1
--> 2 | NULL | 1
--> 3 | odd | 1
WITH RECURSIVE t AS (SELECT 0 AS n, 7 AS m UNION ALL SELECT n + 1, NULLIF(m, 7) FROM t WHERE n < 2)
SELECT COUNT(*), COUNT(m), COUNT(*) FILTER (WHERE m IS NULL) FROM t;
--> 3 | 1 | 2
WITH RECURSIVE d AS (SELECT 1.5 AS x UNION SELECT x * 1 FROM d) SELECT x FROM d;
--> 1.5
WITH RECURSIVE d AS (SELECT CAST(0 AS DOUBLE) AS x UNION SELECT -x FROM d) SELECT COUNT(*) FROM d;
--> 1
WITH RECURSIVE s AS (SELECT 'a' AS x UNION SELECT x || 'a' FROM s WHERE CHAR_LENGTH(x) < 3) SELECT x FROM s;
--> a
--> aa
--> aaa
SELECT p.id, (WITH RECURSIVE up (id, parent) AS (SELECT q.id, q.parent FROM part q WHERE q.id = p.id
  UNION ALL SELECT q.id, q.parent FROM part q JOIN up ON q.id = up.parent) SELECT COUNT(*) FROM up) AS depth
FROM part p ORDER BY p.id;
--> 1 | 1
--> 2 | 2
--> 3 | 2
--> 4 | 3
--> 5 | 4
WITH RECURSIVE a AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM a WHERE i < 3),
  b AS (SELECT i * 10 AS j FROM a UNION ALL SELECT j + 1 FROM b WHERE j < 12)
SELECT a.i, b.j FROM a JOIN b ON b.j < a.i * 11 ORDER BY 1, 2;
--> 1 | 10
--> 2 | 10
--> 2 | 11
--> 2 | 12
--> 2 | 20
--> 3 | 10
--> 3 | 11
--> 3 | 12
--> 3 | 20
--> 3 | 30
WITH RECURSIVE outer_ AS (SELECT 1 AS i UNION ALL
  SELECT i + 1 FROM outer_, (WITH RECURSIVE inner_ AS (SELECT 1 AS k UNION ALL SELECT k + 1 FROM inner_ WHERE k < 2) SELECT * FROM inner_) z
  WHERE i < 3)
SELECT i, COUNT(*) FROM outer_ GROUP BY i ORDER BY i;
--> 1 | 1
--> 2 | 2
--> 3 | 4
WITH RECURSIVE plain AS (SELECT 5 AS x) SELECT x FROM plain;
--> 5
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT x.i, y.i FROM n x JOIN n y ON x.i + 2 = y.i ORDER BY 1;
--> 1 | 3
--> 2 | 4
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM (SELECT i FROM n WHERE i < 3) AS d) SELECT MAX(i) FROM n;
--> 3
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n LEFT JOIN part ON part.id = n.i AND part.id = 1 WHERE i < 3) SELECT COUNT(*) FROM n;
--> 3
-- Rows of partitioned tables: of all partitions they are gathered by ad hoc queries only.
WITH RECURSIVE s AS (SELECT id, parent FROM split WHERE id = 5 UNION ALL SELECT p.id, p.parent FROM split p JOIN s ON p.id = s.parent)
SELECT id FROM s;
--! WITH RECURSIVE reads rows of the partitioned table SPLIT in all partitions
WITH RECURSIVE s AS (SELECT MAX(id) AS id FROM split UNION ALL SELECT id - 1 FROM s WHERE id > 3) SELECT id FROM s;
--> 5
--> 4
--> 3
INSERT INTO edge WITH RECURSIVE n AS (SELECT 10 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i, i FROM n;
--> 3
DELETE FROM edge WHERE a IN (WITH RECURSIVE n AS (SELECT 10 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i FROM n);
--> 3
CREATE VIEW parts AS WITH RECURSIVE v AS (SELECT id FROM part WHERE id = 4 UNION ALL SELECT p.id FROM part p JOIN v ON p.parent = v.id) SELECT id FROM v;
SELECT id FROM parts ORDER BY id;
--> 4
--> 5
WITH RECURSIVE part AS (SELECT 1 AS id UNION ALL SELECT part.id + 1 FROM part WHERE part.id < 3) SELECT COUNT(*) FROM part, public.part p;
--> 15
-- Refusals.
WITH RECURSIVE n AS (SELECT i FROM n) SELECT * FROM n;
--! is a first query, UNION or UNION ALL, and a query that refers to it
WITH RECURSIVE n AS (SELECT i FROM n UNION SELECT 1) SELECT * FROM n;
--! the first query of WITH RECURSIVE N can't refer to N
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT a.i FROM n a, n b) SELECT * FROM n;
--! can't be read more than once
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT id FROM part WHERE id IN (SELECT i FROM n)) SELECT * FROM n;
--! can't be read in a sub-query
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT MAX(i) FROM n) SELECT * FROM n;
--! can't be read beside an aggregate
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT part.id FROM part LEFT JOIN n ON TRUE) SELECT * FROM n;
--! can't be read by the side of an outer join that may have no row
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL (SELECT id FROM part EXCEPT SELECT i FROM n)) SELECT * FROM n;
--! can't be read by EXCEPT or INTERSECT
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n ORDER BY 1) SELECT * FROM n;
--! can't have ORDER BY, LIMIT or OFFSET
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i * 2.5 FROM n) SELECT * FROM n;
--! column I of the recursive query N has a type in the first query that does not hold
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i, i FROM n) SELECT * FROM n;
--! Column count mismatch
