-- A parameter is compared as the value that it is, also where the column's type has no room for it.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, k TINYINT, m SMALLINT, b BIGINT, d DECIMAL(6, 2), s VARCHAR(3));
CREATE INDEX t_m ON t (m);
INSERT INTO t VALUES (1, 100, 1000, 1, 10.50, 'abc'), (2, -100, -1000, 2, -10.50, 'abd');
SELECT id FROM t WHERE k = ?;
--? 100
--> 1
--? 300
--? -300
--? NULL
SELECT id FROM t WHERE k < ? ORDER BY id;
--? 300
--> 1
--> 2
--? -300
--? 100
--> 2
SELECT id FROM t WHERE k >= ? ORDER BY id;
--? 300
--? -300
--> 1
--> 2
SELECT id FROM t WHERE k <> ? ORDER BY id;
--? 300
--> 1
--> 2
--? 100
--> 2
SELECT id FROM t WHERE m BETWEEN ? AND ? ORDER BY id;
--? -100000, 100000
--> 1
--> 2
--? 40000, 100000
--? -100000, -40000
--? -1000, 100000
--> 1
--> 2
SELECT id FROM t WHERE m IN (?, ?) ORDER BY id;
--? 40000, 1000
--> 1
--? -1000, 40000
--> 2
SELECT id FROM t WHERE id = ?;
--? 4294967297
--? 1
--> 1
SELECT id FROM t WHERE ? = id;
--? 4294967297
--? 2
--> 2
SELECT id FROM t WHERE id IN (?, ?);
--? 4294967297, 2
--> 2
SELECT id FROM t WHERE d < ? ORDER BY id;
--? 123456.78
--> 1
--> 2
--? -123456.789
SELECT id FROM t WHERE d = ?;
--? 1000000.5
--? 10.5
--> 1
SELECT id FROM t WHERE s = ?;
--? abcd
--? abc
--> 1
SELECT id FROM t WHERE s > ? ORDER BY id;
--? abcd
--> 2
UPDATE t SET k = k + 0 WHERE k = ?;
--? 4000
--> 0
UPDATE t SET k = ? WHERE id = 1;
--? 4000
--! out of range
UPDATE t SET k = ? WHERE k = ?;
--? 1, 4000
--> 0
SELECT id FROM t WHERE id IN (SELECT id FROM t WHERE m < ?) ORDER BY id;
--? 70000
--> 1
--> 2
SELECT CASE WHEN k = ? THEN 1 ELSE 0 END FROM t WHERE id = 1;
--? 4000
--> 0
