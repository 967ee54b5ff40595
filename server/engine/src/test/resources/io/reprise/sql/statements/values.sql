-- In several rows of VALUES a column may be NULL, a string or a number, each stored as if it stood alone.
CREATE TABLE s (id INTEGER NOT NULL PRIMARY KEY, d DATE, x INTEGER, s VARCHAR(10), n DECIMAL(8, 2));
INSERT INTO s (id, d) VALUES (1, '2020-01-01'), (2, '2020-01-03');
--> 2
INSERT INTO s (id, d) VALUES (3, '2020-01-01'), (4, NULL);
--> 2
INSERT INTO s (id, d) VALUES (5, NULL), (6, '2020-01-01');
--> 2
INSERT INTO s (id, s) VALUES (7, 1), (8, NULL);
--> 2
INSERT INTO s (id, s) VALUES (9, 1), (10, 2);
--> 2
INSERT INTO s (id, x) VALUES (11, '1'), (12, NULL);
--> 2
INSERT INTO s (id, x) VALUES (13, 1), (14, NULL);
--> 2
INSERT INTO s (id, x) VALUES (15, 1), (16, '2');
--> 2
INSERT INTO s (id, d) VALUES (17, DATE '2020-01-01'), (18, '2020-01-12');
--> 2
INSERT INTO s (id, n) VALUES (19, 1.5), (20, '2.25'), (21, NULL);
--> 3
INSERT INTO s (id, s) VALUES (22, 'abc'), (23, 12), (24, NULL);
--> 3
INSERT INTO s (id, x, d) VALUES (25, ?, NULL), (26, 7, '2020-02-02');
--? 5
--> 2
INSERT INTO s (id, s) VALUES (30, 'much too long'), (31, NULL);
--! too long
SELECT id, d, x, s, n FROM s ORDER BY id;
--> 1 | 2020-01-01 | NULL | NULL | NULL
--> 2 | 2020-01-03 | NULL | NULL | NULL
--> 3 | 2020-01-01 | NULL | NULL | NULL
--> 4 | NULL | NULL | NULL | NULL
--> 5 | NULL | NULL | NULL | NULL
--> 6 | 2020-01-01 | NULL | NULL | NULL
--> 7 | NULL | NULL | 1 | NULL
--> 8 | NULL | NULL | NULL | NULL
--> 9 | NULL | NULL | 1 | NULL
--> 10 | NULL | NULL | 2 | NULL
--> 11 | NULL | 1 | NULL | NULL
--> 12 | NULL | NULL | NULL | NULL
--> 13 | NULL | 1 | NULL | NULL
--> 14 | NULL | NULL | NULL | NULL
--> 15 | NULL | 1 | NULL | NULL
--> 16 | NULL | 2 | NULL | NULL
--> 17 | 2020-01-01 | NULL | NULL | NULL
--> 18 | 2020-01-12 | NULL | NULL | NULL
--> 19 | NULL | NULL | NULL | 1.50
--> 20 | NULL | NULL | NULL | 2.25
--> 21 | NULL | NULL | NULL | NULL
--> 22 | NULL | NULL | abc | NULL
--> 23 | NULL | NULL | 12 | NULL
--> 24 | NULL | NULL | NULL | NULL
--> 25 | NULL | 5 | NULL | NULL
--> 26 | 2020-02-02 | 7 | NULL | NULL
