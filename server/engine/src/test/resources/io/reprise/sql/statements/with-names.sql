-- Names that WITH gives to queries hide tables and views, but not those that are written with a schema or within a view.
-- The results are PostgreSQL's.
CREATE SCHEMA s;
CREATE TABLE t (a INTEGER NOT NULL PRIMARY KEY);
CREATE TABLE s.t (a INTEGER NOT NULL PRIMARY KEY);
CREATE TABLE s.lone (a INTEGER NOT NULL PRIMARY KEY);
CREATE SEQUENCE q;
CREATE VIEW v AS SELECT a FROM t;
CREATE VIEW s.w AS IN SCHEMA s SELECT a FROM t;
CREATE VIEW x AS WITH t AS (SELECT 50 AS a) SELECT a FROM t;
INSERT INTO t VALUES (1);
INSERT INTO s.t VALUES (2);
INSERT INTO s.lone VALUES (3);
WITH t AS (SELECT 9 AS a) SELECT * FROM t;
--> 9
WITH t AS (SELECT 9 AS a) SELECT t.a, x.a FROM t, t AS x;
--> 9 | 9
WITH t AS (SELECT 9 AS a) SELECT t.a, x.b FROM t JOIN t AS x (b) ON t.a = x.b;
--> 9 | 9
WITH t AS (SELECT 9 AS a) SELECT * FROM public.t;
--> 1
WITH t AS (SELECT 9 AS a) SELECT * FROM public.t AS t;
--> 1
WITH t AS (SELECT 9 AS a) SELECT * FROM s.t;
--> 2
WITH t AS (SELECT 9 AS a) SELECT * FROM v;
--> 1
WITH t AS (SELECT 9 AS a) SELECT * FROM s.w;
--> 2
WITH t AS (SELECT 9 AS a) SELECT * FROM x;
--> 50
WITH v AS (SELECT 9 AS a) SELECT * FROM v;
--> 9
WITH v AS (SELECT a + 10 AS a FROM v) SELECT * FROM v;
--> 11
WITH t AS (SELECT a + 10 AS a FROM t) SELECT * FROM t;
--> 11
IN SCHEMA s WITH t AS (SELECT a + 10 AS a FROM t) SELECT * FROM t;
--> 12
IN SCHEMA s WITH t AS (SELECT a + 10 AS a FROM t) SELECT t.a, x.a FROM t, public.t AS x;
--> 12 | 1
IN SCHEMA s WITH lone AS (SELECT a + 10 AS a FROM lone) SELECT * FROM lone;
--> 13
WITH t AS (SELECT 9 AS a), u AS (SELECT a FROM t) SELECT u.a FROM u;
--> 9
WITH u AS (SELECT a FROM t), t AS (SELECT 9 AS a) SELECT u.a, t.a FROM u, t;
--> 1 | 9
WITH t AS (SELECT 9 AS a) SELECT (WITH t AS (SELECT a + 1 AS a FROM t) SELECT a FROM t), a FROM t;
--> 10 | 9
WITH t AS (SELECT 9 AS a) SELECT a FROM (WITH u AS (SELECT a FROM t) SELECT a FROM u) AS d;
--> 9
WITH t AS (SELECT 9 AS a) SELECT 1 WHERE EXISTS (SELECT * FROM t WHERE a = 9);
--> 1
WITH t AS (SELECT 9 AS a) TABLE t;
--> 9
WITH t (b) AS (SELECT 9 AS a) SELECT b, t.b FROM t;
--> 9 | 9
WITH t AS (SELECT 9 AS a) SELECT * FROM t UNION SELECT a FROM public.t ORDER BY 1;
--> 1
--> 9
INSERT INTO t WITH t AS (SELECT a + 1 AS a FROM t) SELECT a FROM t;
--> 1
UPDATE t SET a = a + 10 WHERE a IN (WITH t AS (SELECT 2 AS a) SELECT a FROM t);
--> 1
TABLE t;
--> 1
--> 12
WITH t AS (SELECT 1 AS a), t AS (SELECT 2 AS a) SELECT * FROM t;
--! T is named twice in WITH
-- A join in parentheses with an alias is a derived table.
CREATE TABLE o (a INTEGER NOT NULL PRIMARY KEY, b INTEGER);
INSERT INTO o VALUES (1, 5), (4, 6);
SELECT j.b FROM (t JOIN o USING (a)) AS j;
--> 5
SELECT j.a, j.b FROM (s.t JOIN o ON t.a < o.a) AS j (x, a, b);
--> 4 | 6
SELECT x, j.y FROM (v LEFT JOIN o ON v.a = o.a) j (x, y, z) ORDER BY x;
--> 1 | 1
--> 12 | NULL
SELECT j.b, v.a FROM (s.w JOIN o ON w.a < o.a) AS j (w, a, b) JOIN v ON v.a < j.a;
--> 6 | 1
SELECT j.b FROM v JOIN (t NATURAL JOIN o) j ON j.a = v.a;
--> 5
SELECT t.a FROM (t JOIN o USING (a)) AS j;
--! table T can't be used here: FROM doesn't name it
INSERT INTO o WITH x AS (SELECT a + 20 AS c FROM t) SELECT c, NULL FROM x;
--> 2
