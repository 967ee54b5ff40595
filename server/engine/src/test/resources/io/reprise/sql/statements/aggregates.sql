CREATE TABLE t (a INTEGER);
CREATE TABLE u (x INTEGER);
CREATE TABLE g (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, s VARCHAR(10), b INTEGER);
INSERT INTO t VALUES (1), (2), (3);
INSERT INTO u VALUES (10), (20);
INSERT INTO g VALUES (1, 10, 'x', 1), (2, 20, 'y', 2), (3, 30, 'x', 3);
-- An aggregate all of whose columns are of an outer query belongs to that query. The results are PostgreSQL's.
SELECT (SELECT MAX(t.a)) FROM t;
--> 3
SELECT (SELECT COUNT(t.a)) FROM t;
--> 3
SELECT (SELECT SUM(t.a) FROM u LIMIT 1) FROM t;
--> 6
SELECT (SELECT SUM(a) FROM u LIMIT 1) AS s FROM t WHERE a > 1;
--> 5
SELECT (SELECT SUM(t.a) FROM u LIMIT 1) FROM t WHERE a > 5;
--> NULL
SELECT (SELECT u.x + SUM(t.a) FROM u WHERE u.x = 20) FROM t;
--> 26
SELECT MAX(a), (SELECT MIN(t.a) - COUNT(*) FROM u), COUNT(*) FROM t;
--> 3 | -1 | 3
SELECT s, (SELECT SUM(g.a) FROM u WHERE u.x = 10) FROM g GROUP BY s ORDER BY s;
--> x | 40
--> y | 20
SELECT g.s, (SELECT g.s || MAX(g.id) FROM u LIMIT 1), SUM(b) FROM g GROUP BY g.s ORDER BY (SELECT MIN(g.b)) DESC;
--> y | y2 | 2
--> x | x3 | 4
SELECT g.s, (SELECT g.s || MAX(g.id) || MAX(u.x) FROM u) FROM g GROUP BY g.s ORDER BY g.s;
--> x | x320
--> y | y220
SELECT s FROM g GROUP BY s HAVING EXISTS (SELECT 1 FROM u GROUP BY x HAVING MAX(g.a) > 25);
--> x
SELECT s AS n, COUNT(*) FROM g GROUP BY 1 HAVING (SELECT COUNT(g.id) FROM u LIMIT 1) > 1 ORDER BY n;
--> x | 2
SELECT id / 2, (SELECT SUM(g.a) FILTER (WHERE g.a > 10) FROM u LIMIT 1) FROM g GROUP BY id / 2 ORDER BY 1;
--> 0 | NULL
--> 1 | 50
SELECT (SELECT COUNT(DISTINCT g.s) FROM u LIMIT 1), (SELECT COUNT(*) FILTER (WHERE g.a > 10)) FROM g;
--> 2 | 2
SELECT o.s, (SELECT SUM(o.a) FROM t WHERE t.a = o.b) FROM g AS o GROUP BY o.s, o.b ORDER BY o.b;
--> x | 10
--> y | 20
--> x | 30
SELECT g.s, (SELECT SUM(t.a) FROM u WHERE g.s = 'x' LIMIT 1) FROM g JOIN t ON t.a = g.id GROUP BY g.s ORDER BY 1;
--> x | 4
--> y | NULL
SELECT (SELECT (SELECT SUM(t.a) + MAX(u.x)) FROM u) FROM t;
--> 26
SELECT (SELECT (SELECT SUM(t.a + u.x)) FROM u) FROM t ORDER BY 1;
--> 32
--> 34
--> 36
SELECT s, RANK() OVER (ORDER BY SUM(a)), (SELECT MAX(g.a)) FROM g GROUP BY s ORDER BY s;
--> x | 2 | 30
--> y | 1 | 20
SELECT DISTINCT (SELECT COUNT(g.id)) FROM g GROUP BY b;
--> 1
SELECT x FROM u WHERE x > (SELECT (SELECT SUM(t.a)) FROM t) + 5 ORDER BY x;
--> 20
SELECT (SELECT MAX(q.m) FROM u LIMIT 1) FROM (SELECT MAX(a) AS m FROM t) AS q;
--> 3
INSERT INTO u SELECT (SELECT SUM(t.a)) FROM t;
--> 1
DELETE FROM u WHERE x = (SELECT (SELECT SUM(t.a)) FROM t);
--> 1
SELECT s, (SELECT SUM(g.a)) FROM g GROUP BY ROLLUP (s) ORDER BY s NULLS LAST;
--> x | 40
--> y | 20
--> NULL | 60
SELECT s, b, (SELECT SUM(g.a) FROM u LIMIT 1), GROUPING(s) FROM g GROUP BY GROUPING SETS ((s), (b), ()) ORDER BY 4, 1, 2 NULLS LAST;
--> x | NULL | 40 | 0
--> y | NULL | 20 | 0
--> NULL | 1 | 10 | 1
--> NULL | 2 | 20 | 1
--> NULL | 3 | 30 | 1
--> NULL | NULL | 60 | 1
SELECT s, b, (SELECT COUNT(g.a) + MAX(u.x) FROM u) AS n FROM g GROUP BY CUBE (s, b) HAVING (SELECT COUNT(g.a)) > 1 ORDER BY n;
--> x | NULL | 22
--> NULL | NULL | 23
SELECT s, (SELECT g.s || MAX(g.a) FROM u LIMIT 1) FROM g GROUP BY s, ROLLUP (s, b) HAVING COUNT(*) > 1;
--> x | x30
--> x | x30
SELECT a, (SELECT MAX(t.a) FROM u LIMIT 1), CASE WHEN CURRENT_DATE > DATE '2020-01-01' THEN 1 END FROM t GROUP BY a ORDER BY a;
--> 1 | 1 | 1
--> 2 | 2 | 1
--> 3 | 3 | 1
-- PostgreSQL refuses these, too.
SELECT a, (SELECT SUM(t.a)) FROM t;
--! the column A is not grouped
SELECT t.a + 1, (SELECT SUM(t.a)) FROM t;
--! the column T.A is not grouped
SELECT (SELECT MAX(t.a) + t.a FROM u LIMIT 1) FROM t;
--! the column T.A is not grouped
SELECT *, (SELECT SUM(t.a)) FROM t;
--! name the columns instead of *
SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u GROUP BY x HAVING MAX(t.a) > 1);
--! aggregates are not allowed in WHERE
SELECT a FROM t WHERE a > (SELECT SUM(t.a) FROM u);
--! aggregates are not allowed in WHERE
SELECT a FROM t WHERE a IN (SELECT MAX(t.a) FROM u);
--! aggregates are not allowed in WHERE
DELETE FROM t WHERE a = (SELECT MAX(t.a));
--! aggregates are not allowed in WHERE
SELECT t.a FROM t JOIN u ON u.x > (SELECT SUM(t.a));
--! aggregates are not allowed in WHERE and ON
UPDATE t SET a = (SELECT SUM(t.a) FROM u);
--! aggregates are not allowed in UPDATE
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
