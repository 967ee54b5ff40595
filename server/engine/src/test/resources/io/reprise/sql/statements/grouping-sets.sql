-- GROUPING SETS, ROLLUP and CUBE.
CREATE TABLE s (id INTEGER NOT NULL PRIMARY KEY, a VARCHAR(5), b INTEGER NOT NULL, n INTEGER NOT NULL);
CREATE TABLE nothing (a INTEGER NOT NULL, n INTEGER NOT NULL);

INSERT INTO s VALUES (1, 'x', 1, 10), (2, 'x', 2, 20), (3, 'y', 1, 30), (4, NULL, 2, 40);
SELECT a, b, SUM(n), COUNT(*) FROM s GROUP BY GROUPING SETS ((a, b), (a), ()) ORDER BY a, b, 3;
--> NULL | NULL | 40 | 1
--> NULL | NULL | 100 | 4
--> NULL | 2 | 40 | 1
--> x | NULL | 30 | 2
--> x | 1 | 10 | 1
--> x | 2 | 20 | 1
--> y | NULL | 30 | 1
--> y | 1 | 30 | 1
SELECT a, SUM(n), GROUPING(a) FROM s GROUP BY ROLLUP(a) ORDER BY GROUPING(a), a;
--> NULL | 40 | 0
--> x | 30 | 0
--> y | 30 | 0
--> NULL | 100 | 1
SELECT a, b, SUM(n), GROUPING(a, b) FROM s GROUP BY CUBE(a, b) ORDER BY 4, a, b;
--> NULL | 2 | 40 | 0
--> x | 1 | 10 | 0
--> x | 2 | 20 | 0
--> y | 1 | 30 | 0
--> NULL | NULL | 40 | 1
--> x | NULL | 30 | 1
--> y | NULL | 30 | 1
--> NULL | 1 | 40 | 2
--> NULL | 2 | 60 | 2
--> NULL | NULL | 100 | 3
SELECT b, MIN(n), MAX(a) FROM s GROUP BY ROLLUP(b) HAVING MIN(n) < 15 ORDER BY b;
--> NULL | 10 | y
--> 1 | 10 | y
SELECT a, COUNT(*), SUM(n) FROM nothing GROUP BY ROLLUP(a);
--> NULL | 0 | NULL
SELECT * FROM (SELECT a, b, AVG(n) AS m FROM s GROUP BY GROUPING SETS ((a), (b))) q WHERE a = 'x';
--> x | NULL | 15
SELECT b, RANK() OVER (ORDER BY SUM(n) DESC) FROM s GROUP BY ROLLUP(b) ORDER BY 2, b;
--> NULL | 1
--> 2 | 2
--> 1 | 3
