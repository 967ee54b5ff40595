-- Aliases that are names of other tables: FROM names tables, a qualifier names an alias. The results are PostgreSQL's.
CREATE TABLE m (id INTEGER NOT NULL PRIMARY KEY, d INTEGER, both_have INTEGER);
PARTITION TABLE m ON COLUMN id;
CREATE TABLE n (c INTEGER NOT NULL PRIMARY KEY, e INTEGER, both_have INTEGER);
CREATE TABLE k (d INTEGER, id INTEGER NOT NULL PRIMARY KEY);
INSERT INTO m VALUES (1, 1, 5), (2, 20, 7), (3, 30, 9);
INSERT INTO n VALUES (1, 100, 7), (3, 300, 5), (7, 700, 70);
INSERT INTO k VALUES (1, 2), (20, 3);
SELECT * FROM m AS n WHERE EXISTS (SELECT * FROM n AS i WHERE n.d = i.c);
--> 1 | 1 | 5
SELECT n.id, n.d FROM m AS n WHERE n.d IN (SELECT s.d FROM (SELECT * FROM k AS n) AS s) ORDER BY n.id;
--> 1 | 1
--> 2 | 20
SELECT k.d, (SELECT MAX(s.d) FROM (SELECT * FROM k AS i WHERE i.id <= 2) AS s WHERE s.id <= k.id) AS highest FROM m AS k ORDER BY k.d;
--> 1 | NULL
--> 20 | 1
--> 30 | 1
SELECT n.id FROM m AS n WHERE (SELECT COUNT(*) FROM (SELECT * FROM n) AS s WHERE s.both_have = n.both_have) = 1 ORDER BY n.id;
--> 1
--> 2
SELECT n.id FROM m AS n JOIN n AS m ON n.both_have = m.both_have WHERE EXISTS (SELECT * FROM n JOIN k AS x ON n.c = x.d) ORDER BY n.id;
--> 1
--> 2
SELECT n.id FROM m AS n WHERE EXISTS (SELECT * FROM n AS a NATURAL JOIN (SELECT * FROM n) AS b WHERE a.e = n.d * 100);
--> 1
SELECT n.id FROM m AS n WHERE EXISTS (SELECT * FROM n AS a JOIN n AS b USING (c) WHERE a.e = n.id * 100) ORDER BY n.id;
--> 1
--> 3
SELECT n.id, (SELECT MAX(x.e) FROM (SELECT a.*, b.id FROM n AS a LEFT JOIN k AS b ON a.c = b.id) AS x WHERE x.c = n.id) AS e FROM m AS n ORDER BY n.id;
--> 1 | 100
--> 2 | NULL
--> 3 | 300
WITH q AS (SELECT c, e FROM n) SELECT q.id FROM m AS q WHERE EXISTS (SELECT * FROM q AS i WHERE i.c = q.d);
--> 1
WITH q AS (SELECT c, e FROM n) SELECT q.id, (SELECT MAX(s.e) FROM (SELECT * FROM q) AS s WHERE s.c >= q.id) AS highest FROM m AS q ORDER BY q.id;
--> 1 | 700
--> 2 | 700
--> 3 | 700
SELECT n.id FROM m AS n WHERE EXISTS (TABLE n) ORDER BY n.id;
--> 1
--> 2
--> 3
SELECT n.id FROM m AS n WHERE n.id = ANY (SELECT i.c FROM n AS i WHERE EXISTS (SELECT * FROM m AS i WHERE i.id = n.id) AND EXISTS (SELECT * FROM k AS m WHERE m.id = 2)) ORDER BY n.id;
--> 1
--> 3
UPDATE m AS n SET d = d + 1 WHERE EXISTS (SELECT * FROM n AS i WHERE n.d = i.c) RETURNING n.id, n.d;
--> 1 | 2
UPDATE k AS n SET d = (SELECT MAX(s.e) FROM (SELECT * FROM n AS i WHERE i.c < 7) AS s WHERE s.c <= n.id) RETURNING n.*;
--> 100 | 2
--> 300 | 3
UPDATE k AS n SET d = i.e + n.d FROM n AS i WHERE i.c = n.id RETURNING n.id, n.d;
--> 3 | 600
UPDATE k AS n SET d = i.e FROM (SELECT * FROM n) AS i WHERE i.both_have = n.d - 593 RETURNING n.id, n.d;
--> 3 | 100
UPDATE k AS n SET (d, id) = (SELECT x.e, x.c FROM (SELECT * FROM n AS y) AS x WHERE x.c = n.id) WHERE n.id IN (SELECT y.c FROM n AS y WHERE EXISTS (SELECT * FROM k AS y WHERE y.id = n.id)) RETURNING n.id, n.d;
--> 3 | 300
UPDATE m AS k SET both_have = 1 WHERE k.id IN (SELECT i.id FROM (SELECT * FROM k) AS i WHERE i.id = k.id) RETURNING k.id, both_have;
--> 2 | 1
--> 3 | 1
DELETE FROM m AS n USING n AS i WHERE i.c = n.d RETURNING n.id;
DELETE FROM m AS n WHERE NOT EXISTS (SELECT * FROM n AS i WHERE i.c = n.id) RETURNING n.*;
--> 2 | 20 | 1
DELETE FROM m AS n USING (SELECT * FROM n AS m) AS i WHERE i.c = n.id AND EXISTS (SELECT * FROM n AS m JOIN k ON k.id = m.c WHERE m.both_have = 5) RETURNING n.id;
--> 1
--> 3
SELECT * FROM m ORDER BY id;
INSERT INTO k SELECT s.e, s.c + 10 FROM (SELECT * FROM n AS k) AS s WHERE NOT EXISTS (SELECT * FROM k AS n WHERE n.id = s.c) RETURNING k.id, d;
--> 11 | 100
--> 17 | 700
SELECT * FROM k ORDER BY id;
--> 100 | 2
--> 300 | 3
--> 100 | 11
--> 700 | 17
-- A name that a joined table has, too, is ambiguous.
UPDATE n SET e = 5 FROM k WHERE c = k.id AND both_have = 5;
--> 1
UPDATE n SET e = 6 FROM k WHERE c = k.id AND DATEADD(DAY, k.id, NOW) > NOW AND EXTRACT(YEAR FROM NOW) > 0 AND DATE_TRUNC('day', NOW) < NOW();
--> 1
UPDATE k SET d = 5 FROM m WHERE id = m.id;
--! Column 'ID' is ambiguous
UPDATE m SET both_have = id FROM k WHERE m.id = k.id;
--! Column 'ID' is ambiguous
UPDATE k SET d = 5 FROM k WHERE k.id = 3;
--! Duplicate relation name 'K'
DELETE FROM m AS x USING n, k WHERE x.id = k.id AND n.c = x.id AND both_have + 1 > 0;
--! Column 'BOTH_HAVE' is ambiguous
DELETE FROM k USING k AS x WHERE k.id = x.id + 100 AND x.d = ?;
--? 1
--> 0
