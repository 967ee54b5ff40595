-- The rows of a derived table are found before a condition around it is computed.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, x INTEGER, s VARCHAR(10));
CREATE TABLE u (id INTEGER NOT NULL PRIMARY KEY);
INSERT INTO t VALUES (1, 0, 'a'), (2, 5, '7'), (3, 2, '12');
INSERT INTO u VALUES (2), (3);
SELECT * FROM (SELECT id, 10 / x AS y FROM t WHERE x <> 0) q WHERE y > 1 ORDER BY 1;
--> 2 | 2
--> 3 | 5
WITH q AS (SELECT id, CAST(s AS INTEGER) AS y FROM t WHERE id > 1) SELECT * FROM q WHERE y > 8;
--> 3 | 12
SELECT * FROM (SELECT DISTINCT id, 10 / x AS y FROM t WHERE x <> 0) q WHERE y > 1 ORDER BY 1;
--> 2 | 2
--> 3 | 5
SELECT * FROM (SELECT id, 10 / x AS y FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)) q WHERE y > 2;
--> 3 | 5
SELECT * FROM (SELECT t.id, 10 / x AS y FROM t JOIN u ON t.id = u.id) q WHERE y > 2;
--> 3 | 5
SELECT id FROM u WHERE 5 IN (SELECT 10 / x FROM t WHERE x <> 0 AND t.id = u.id);
--> 3
SELECT * FROM u JOIN (SELECT id, 10 / x AS y FROM t WHERE x <> 0) q ON q.id = u.id WHERE q.y > 2;
--> 3 | 3 | 5
SELECT u.id, q.y FROM u LEFT JOIN (SELECT id, 10 / x AS y FROM t WHERE x <> 0) q ON q.y > 2 AND q.id = u.id ORDER BY 1;
--> 2 | NULL
--> 3 | 5
SELECT * FROM (SELECT id, 10 / x AS y FROM t WHERE x <> 0 UNION ALL SELECT id, 10 / id FROM u) q WHERE y > 4 ORDER BY 1, 2;
--> 2 | 5
--> 3 | 5
EXPLAIN SELECT * FROM (SELECT id, 10 / x AS y FROM t WHERE x <> 0) q WHERE id = 3;
--~ unique
