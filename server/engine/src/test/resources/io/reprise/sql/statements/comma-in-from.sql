-- JOIN binds stronger than the comma.
CREATE TABLE a (id INTEGER);
CREATE TABLE b (id INTEGER, y INTEGER);
CREATE TABLE c (id INTEGER, y INTEGER);
CREATE TABLE d (p INTEGER, q INTEGER, r INTEGER, s INTEGER);
INSERT INTO a VALUES (1), (2);
INSERT INTO b VALUES (1, 10), (2, 20);
INSERT INTO c VALUES (2, 20), (3, 30);
SELECT a.id, b.id, c.id FROM a, b RIGHT JOIN c ON b.id = c.id ORDER BY 1, 3;
--> 1 | 2 | 2
--> 1 | NULL | 3
--> 2 | 2 | 2
--> 2 | NULL | 3
SELECT a.id, b.id, c.id FROM a, b JOIN c USING (y) ORDER BY 1;
--> 1 | 2 | 2
--> 2 | 2 | 2
SELECT COUNT(*) FROM a, b NATURAL JOIN c;
--> 2
SELECT a.id, c.id FROM a, b JOIN c USING (id) ORDER BY 1;
--> 1 | 2
--> 2 | 2
SELECT * FROM a, b JOIN c USING (y) ORDER BY 1;
--# ID | Y | ID0 | ID1
--> 1 | 20 | 2 | 2
--> 2 | 20 | 2 | 2
INSERT INTO d SELECT * FROM a, b JOIN c USING (y);
--> 2
SELECT * FROM d ORDER BY 1, 2;
--> 1 | 20 | 2 | 2
--> 2 | 20 | 2 | 2
SELECT a.id FROM a, b LEFT JOIN c ON a.id = c.id ORDER BY 1;
--! table A can't be used here
SELECT b.id FROM a;
--! FROM doesn't name it
SELECT COUNT(*) FROM a, b LEFT JOIN c ON b.id = c.id, d;
--> 8
SELECT COUNT(*) FROM a CROSS JOIN b, c LEFT JOIN d ON d.p = c.id;
--> 8
