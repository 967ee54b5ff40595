-- A common column of USING and NATURAL JOIN needs no table's name, anywhere in the query.
CREATE TABLE l (a INTEGER NOT NULL PRIMARY KEY, b INTEGER);
CREATE TABLE r (a INTEGER NOT NULL PRIMARY KEY, c INTEGER);
INSERT INTO l VALUES (1, 10), (2, 20), (3, 30);
INSERT INTO r VALUES (2, 200), (3, 300), (4, 400);
SELECT * FROM l JOIN r USING (a) WHERE a = 2;
--> 2 | 20 | 200
SELECT a, b FROM l NATURAL JOIN r WHERE a > 2;
--> 3 | 30
SELECT a, COUNT(*) FROM l JOIN r USING (a) GROUP BY a ORDER BY a;
--> 2 | 1
--> 3 | 1
SELECT a + 1, COUNT(*) FROM l JOIN r USING (a) GROUP BY a + 1 HAVING a + 1 > 3;
--> 4 | 1
SELECT a, MAX(c) FROM l JOIN r USING (a) GROUP BY a HAVING MAX(a) = 3;
--> 3 | 300
SELECT a FROM l RIGHT JOIN r USING (a) WHERE a = 4;
--> 4
SELECT a FROM l LEFT JOIN r USING (a) WHERE a = 1;
--> 1
SELECT a FROM l JOIN r USING (a) JOIN (SELECT 3 AS q) z ON a = q;
--> 3
SELECT a FROM l JOIN r USING (a) ORDER BY a DESC;
--> 3
--> 2
SELECT a FROM l JOIN r USING (a) WHERE EXISTS (SELECT 1 FROM (SELECT 3 AS q) z WHERE q = a);
--> 3
SELECT a FROM l JOIN r USING (a) WHERE b IN (SELECT a * 10 FROM l WHERE a = 3);
--> 3
SELECT a FROM l JOIN r ON l.a = r.a;
--! ambiguous
SELECT * FROM l p JOIN l q USING (a, a);
--! A is named twice in USING
SELECT * FROM l JOIN r USING (b);
--! B
