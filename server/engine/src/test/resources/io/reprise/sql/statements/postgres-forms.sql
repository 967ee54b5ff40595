-- Forms of statements that PostgreSQL's clients send.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b VARCHAR(20));
CREATE TABLE s (id INTEGER NOT NULL PRIMARY KEY, tid INTEGER, x INTEGER);
INSERT INTO t VALUES (1, 10, 'Ann'), (2, 20, 'bob'), (3, 30, NULL);
--> 3
INSERT INTO s VALUES (1, 1, 100), (2, 2, 200), (3, 9, 900);
--> 3
SELECT '12'::INTEGER + 1, 7::VARCHAR(10) || 'x', 1.25::DECIMAL(4,1)::VARCHAR(8);
--> 13 | 7x | 1.3
SELECT id FROM t WHERE a = '20'::BIGINT;
--> 2
SELECT id FROM t WHERE id = ?::INTEGER;
--? 3
--> 3
SELECT id FROM t WHERE b ILIKE 'AN_';
--> 1
SELECT id FROM t WHERE b NOT ILIKE '%B' ORDER BY id;
--> 1
SELECT 'a%B' ILIKE 'AX%b' ESCAPE 'X';
--> true
SELECT a FROM t WHERE id = 1 FOR UPDATE;
--> 10
SELECT a FROM t ORDER BY id LIMIT 1 FOR NO KEY UPDATE OF t NOWAIT;
--> 10
SELECT COUNT(*) FROM t FOR
  UPDATE;
--> 3
SELECT a FROM t WHERE id = 1 FOR SHARE;
--> 10
UPDATE t SET (a, b) = (11, 'Anna') WHERE id = 1;
--> 1
UPDATE t SET (a) = 12 WHERE id = 1;
--> 1
UPDATE t SET (a, b) = (SELECT x, 'from s' FROM s WHERE tid = t.id) WHERE id = 2;
--> 1
SELECT * FROM t ORDER BY id;
--> 1 | 12 | Anna
--> 2 | 200 | from s
--> 3 | 30 | NULL
UPDATE t SET (a, b) = (1, 2, 3);
--! 2 columns are set to 3 values: write one value for each column
UPDATE t SET a = s.x + 1 FROM s WHERE s.tid = t.id;
--> 2
UPDATE t AS o SET a = o.a + s.x, b = DEFAULT FROM s WHERE s.tid = o.id AND s.x > 150;
--> 1
SELECT * FROM t ORDER BY id;
--> 1 | 101 | Anna
--> 2 | 401 | NULL
--> 3 | 30 | NULL
DELETE FROM t USING s WHERE s.tid = t.id AND s.x = 200;
--> 1
SELECT id FROM t ORDER BY id;
--> 1
--> 3
