-- GENERATE_SERIES, LATERAL, FULL JOIN, INTERSECT ALL, EXCEPT ALL and STRING_AGG.
CREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY, n INTEGER, s VARCHAR(10));
CREATE TABLE b (id INTEGER NOT NULL PRIMARY KEY, n INTEGER, s VARCHAR(10));
CREATE TABLE r (id INTEGER NOT NULL PRIMARY KEY, n INTEGER);
PARTITION TABLE a ON COLUMN id;
PARTITION TABLE b ON COLUMN id;

INSERT INTO a VALUES (1, 2, 'x'), (2, 2, 'y'), (3, 1, NULL), (4, NULL, 'x');
INSERT INTO b VALUES (2, 2, 'y'), (3, 2, 'x'), (5, 1, 'z');
INSERT INTO r VALUES (1, 2), (2, 2), (3, 4);
SELECT * FROM GENERATE_SERIES(1, 3);
--> 1
--> 2
--> 3
SELECT g FROM generate_series(1, 10, 4) AS g ORDER BY g;
--> 1
--> 5
--> 9
SELECT n * 2 FROM generate_series(3, 1, -1) AS g(n) ORDER BY n;
--> 2
--> 4
--> 6
SELECT COUNT(*), SUM(g) FROM generate_series(1, 1000) g;
--> 1000 | 500500
SELECT * FROM generate_series(1, NULL);
SELECT * FROM generate_series(5, 1);
SELECT * FROM generate_series(1, 5, 0);
--! the step of GENERATE_SERIES must not be 0
SELECT * FROM generate_series(1.5, 3, 0.5) ORDER BY 1;
--> 1.5
--> 2.0
--> 2.5
--> 3.0
SELECT * FROM generate_series(9223372036854775806, 9223372036854775807) ORDER BY 1;
--> 9223372036854775806
--> 9223372036854775807
SELECT g FROM generate_series(1, ?) g;
--? 2
--> 1
--> 2
SELECT generate_series(1, 3);
--> 1
--> 2
--> 3
SELECT generate_series(1, 2) AS k, 'x' || CAST(generate_series AS VARCHAR(3)) FROM r;
--> 1 | x1
--> 1 | x1
--> 1 | x1
--> 2 | x2
--> 2 | x2
--> 2 | x2
SELECT generate_series(1, 2) AS k, id FROM r ORDER BY id, k;
--> 1 | 1
--> 2 | 1
--> 1 | 2
--> 2 | 2
--> 1 | 3
--> 2 | 3
SELECT id, generate_series(1, n) FROM r ORDER BY 1, 2;
--> 1 | 1
--> 1 | 2
--> 2 | 1
--> 2 | 2
--> 3 | 1
--> 3 | 2
--> 3 | 3
--> 3 | 4
SELECT id, g FROM a, generate_series(1, a.n) g ORDER BY id, g;
--> 1 | 1
--> 1 | 2
--> 2 | 1
--> 2 | 2
--> 3 | 1
SELECT id, g FROM a LEFT JOIN LATERAL generate_series(1, a.n) g ON TRUE ORDER BY id, g;
--> 1 | 1
--> 1 | 2
--> 2 | 1
--> 2 | 2
--> 3 | 1
--> 4 | NULL
SELECT r.id, q.s FROM r, LATERAL (SELECT s FROM a WHERE a.id = r.id) q ORDER BY r.id;
--> 1 | x
--> 2 | y
--> 3 | NULL
SELECT a.id, q.m FROM a CROSS JOIN LATERAL (SELECT MAX(b.n) AS m FROM b WHERE b.id = a.id) q ORDER BY a.id;
--> 1 | NULL
--> 2 | 2
--> 3 | 2
--> 4 | NULL
SELECT a.id, q.s FROM a LEFT JOIN LATERAL (SELECT s FROM b WHERE b.id = a.id LIMIT 1) q ON TRUE WHERE a.id = 2;
--> 2 | y
EXPLAIN SELECT a.id, q.s FROM a LEFT JOIN LATERAL (SELECT s FROM b WHERE b.id = a.id LIMIT 1) q ON TRUE WHERE a.id = 2;
--> scope: KEY(partition value = 2)
--> project A.ID, S
-->   left join
-->     unique lookup A by A_PK: ID = 2
-->     limit first 1
-->       project B.S
-->         unique lookup B by B_PK: ID = A.ID
SELECT f(1) FROM r;
--! the function F is not supported at line 1, column 8
SELECT * FROM f(1);
--! the only function that FROM takes is GENERATE_SERIES at line 1, column 15
INSERT INTO r SELECT g, g * 10 FROM generate_series(10, 12) g;
INSERT INTO a (id, n) SELECT g, g FROM generate_series(10, 12) g;
INSERT INTO r SELECT generate_series(20, 22), 5;
SELECT COUNT(*), SUM(id) FROM r;
--> 9 | 102
SELECT COUNT(*), SUM(n) FROM a WHERE id >= 10;
--> 3 | 33
DELETE FROM r WHERE id >= 10;
--> 6
DELETE FROM a WHERE id >= 10;
--> 3
SELECT * FROM a FULL JOIN b ON a.id = b.id ORDER BY a.id, b.id;
--> NULL | NULL | NULL | 5 | 1 | z
--> 1 | 2 | x | NULL | NULL | NULL
--> 2 | 2 | y | 2 | 2 | y
--> 3 | 1 | NULL | 3 | 2 | x
--> 4 | NULL | x | NULL | NULL | NULL
SELECT a.s, b.s FROM a FULL OUTER JOIN b ON a.id = b.id AND a.n = b.n ORDER BY a.id, b.id;
--> NULL | x
--> NULL | z
--> x | NULL
--> y | y
--> NULL | NULL
--> x | NULL
SELECT id, a.s, b.s FROM a FULL JOIN b USING (id) ORDER BY id;
--> 1 | x | NULL
--> 2 | y | y
--> 3 | NULL | x
--> 4 | x | NULL
--> 5 | NULL | z
SELECT * FROM a FULL JOIN b USING (id) ORDER BY id;
--> 1 | 2 | x | NULL | NULL
--> 2 | 2 | y | 2 | y
--> 3 | 1 | NULL | 2 | x
--> 4 | NULL | x | NULL | NULL
--> 5 | NULL | NULL | 1 | z
SELECT COUNT(*) FROM a NATURAL FULL JOIN b WHERE id > 1;
--> 5
SELECT * FROM r FULL JOIN (VALUES (3, 'c'), (4, 'd')) AS v(k, t) ON r.id = v.k ORDER BY id, k;
--> NULL | NULL | 4 | d
--> 1 | 2 | NULL | NULL
--> 2 | 2 | NULL | NULL
--> 3 | 4 | 3 | c
SELECT COUNT(*) FROM a FULL JOIN b ON a.id = b.id WHERE a.id IS NULL;
--> 1
SELECT r.id, b.id FROM r FULL JOIN b ON r.id = b.id ORDER BY 1, 2;
--> NULL | 5
--> 1 | NULL
--> 2 | 2
--> 3 | 3
SELECT n FROM r INTERSECT ALL SELECT n FROM (VALUES (2), (2), (2), (4), (4), (5)) v(n) ORDER BY n;
--> 2
--> 2
--> 4
SELECT n FROM (VALUES (2), (2), (2), (4), (NULL), (NULL)) v(n) EXCEPT ALL SELECT n FROM r ORDER BY n;
--> NULL
--> NULL
--> 2
SELECT n FROM a INTERSECT ALL SELECT n FROM b ORDER BY n;
--> 1
--> 2
--> 2
SELECT n FROM a EXCEPT ALL SELECT n FROM b ORDER BY n;
--> NULL
SELECT n FROM a EXCEPT ALL SELECT n FROM b EXCEPT ALL SELECT n FROM r ORDER BY n;
--> NULL
SELECT STRING_AGG(s, ',' ORDER BY id) FROM a;
--> x,y,x
SELECT STRING_AGG(s, '-' ORDER BY id DESC), COUNT(*) FROM a WHERE id > 1;
--> x-y | 3
SELECT n, STRING_AGG(s, '+' ORDER BY s) FROM a GROUP BY n ORDER BY n;
--> NULL | x
--> 1 | NULL
--> 2 | x+y
SELECT STRING_AGG(DISTINCT s, ',') FROM a;
--> x,y
SELECT STRING_AGG(s, ',') FROM a WHERE id > 100;
--> NULL
SELECT STRING_AGG(CAST(g AS VARCHAR(5)), NULL ORDER BY g) FROM generate_series(1, 3) g;
--> 123
SELECT STRING_AGG(s, ',' ORDER BY id) FILTER (WHERE id < 3) FROM a;
--> x,y
SELECT STRING_AGG(s, ',' ORDER BY id), STRING_AGG(s, ',' ORDER BY n) FROM a;
--! STRING_AGG with different orders in one query is not supported: use derived tables at line 1, column 8
SELECT STRING_AGG(CAST(g AS VARCHAR(20)) || 'abcdefghijklmnopqrstuvwxyz', ', ') FROM generate_series(1, 100000) g;
--! STRING_AGG has come to 3288893 bytes, and the longest possible string has 1048575
INSERT INTO r SELECT 100, COUNT(*) FROM generate_series(1, 5) g;
INSERT INTO b (id, s) SELECT id + 0, s FROM (SELECT 50 AS id, STRING_AGG(CAST(id AS VARCHAR(5)), ',') AS s FROM r) q;
SELECT s FROM b WHERE id = 50;
--> 1,100,2,3
