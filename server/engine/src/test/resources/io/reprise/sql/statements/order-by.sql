CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b INTEGER);
INSERT INTO t VALUES (1, 2, 3), (2, 1, 5);
SELECT a, a FROM t UNION SELECT b, b FROM t ORDER BY 1;
--> 1 | 1
--> 2 | 2
--> 3 | 3
--> 5 | 5
SELECT a, a FROM t ORDER BY 1;
--> 1 | 1
--> 2 | 2
SELECT a, a FROM t EXCEPT SELECT b, id FROM t ORDER BY 1 DESC;
--> 2 | 2
--> 1 | 1
SELECT a AS x, b AS x FROM t UNION ALL SELECT 1, 2 ORDER BY 2;
--# X | X0
--> 1 | 2
--> 2 | 3
--> 1 | 5
SELECT a AS x, b FROM t UNION ALL SELECT 7, 2 ORDER BY x DESC, 2 LIMIT 2;
--> 7 | 2
--> 2 | 3
SELECT id, id FROM t ORDER BY id;
--> 1 | 1
--> 2 | 2
SELECT a AS x, b AS x FROM t ORDER BY x;
--! X is ambiguous in ORDER BY
SELECT * FROM t p, t q ORDER BY a;
--! A is ambiguous in ORDER BY
SELECT * FROM t p, t q ORDER BY p.a, q.a LIMIT 1;
--> 2 | 1 | 5 | 2 | 1 | 5
SELECT a, a FROM t UNION SELECT b, b FROM t ORDER BY 3;
--! rdinal out of range
