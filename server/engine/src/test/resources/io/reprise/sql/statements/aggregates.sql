CREATE TABLE t (a INTEGER);
CREATE TABLE u (x INTEGER);
CREATE TABLE g (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, s VARCHAR(10), b INTEGER);
INSERT INTO t VALUES (1), (2), (3);
INSERT INTO u VALUES (10), (20);
INSERT INTO g VALUES (1, 10, 'x', 1), (2, 20, 'y', 2), (3, 30, 'x', 3);
-- An aggregate all of whose columns are of an outer query belongs to that query, where it can't be computed.
SELECT (SELECT MAX(t.a)) FROM t;
--! belongs to the outer query
SELECT (SELECT COUNT(t.a)) FROM t;
--! belongs to the outer query
SELECT (SELECT SUM(t.a) FROM u LIMIT 1) FROM t;
--! belongs to the outer query
SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u GROUP BY x HAVING MAX(t.a) > 1);
--! belongs to the outer query
SELECT (SELECT SUM(t.a + u.x) FROM u) FROM t ORDER BY 1;
--> 32
--> 34
--> 36
SELECT (SELECT COUNT(*) FROM u) FROM t;
--> 2
--> 2
--> 2
SELECT (SELECT SUM(1) FROM u) FROM t;
--> 2
--> 2
--> 2
-- Names within an expression of ORDER BY are columns first.
SELECT s, SUM(a) AS a FROM g GROUP BY s ORDER BY SUM(a) DESC;
--> x | 40
--> y | 20
SELECT s AS a FROM g GROUP BY s ORDER BY MAX(a);
--> y
--> x
SELECT -id AS a FROM g GROUP BY id ORDER BY MAX(a);
--> -1
--> -2
--> -3
SELECT -a AS a FROM g ORDER BY a + 0;
--> -10
--> -20
--> -30
SELECT -a AS a FROM g ORDER BY a;
--> -30
--> -20
--> -10
SELECT -a AS n FROM g ORDER BY n + 0;
--> -30
--> -20
--> -10
SELECT DISTINCT a FROM g GROUP BY a, b HAVING NULL BETWEEN a AND b;
SELECT DISTINCT a FROM g GROUP BY a HAVING NULL BETWEEN NULL AND NULL;
SELECT COUNT(a, 1) FROM g;
--! COUNT of several columns is not supported: expected one
SELECT COUNT(DISTINCT a, s) FROM g;
--! COUNT of several columns is not supported: expected one
