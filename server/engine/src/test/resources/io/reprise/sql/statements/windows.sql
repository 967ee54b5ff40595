-- Window functions, over tables of one partition and of several.
CREATE TABLE sale (id INTEGER NOT NULL PRIMARY KEY, shop VARCHAR(10), d INTEGER, price DECIMAL(8, 2), weight DOUBLE);
CREATE TABLE shop (name VARCHAR(10) NOT NULL PRIMARY KEY, city VARCHAR(10));
PARTITION TABLE sale ON COLUMN id;

INSERT INTO shop VALUES ('a', 'Ulm'), ('b', 'Bonn');
INSERT INTO sale VALUES (1, 'a', 1, 10.00, 1.5), (2, 'a', 2, 20.00, 2.5), (3, 'a', 2, 5.00, NULL), (4, 'b', 1, 7.00, 0.5), (5, 'b', 3, NULL, 4), (6, NULL, 1, 1.00, 1);
SELECT id, ROW_NUMBER() OVER (ORDER BY price DESC, id) FROM sale ORDER BY id;
--> 1 | 2
--> 2 | 1
--> 3 | 4
--> 4 | 3
--> 5 | 6
--> 6 | 5
SELECT id, RANK() OVER (PARTITION BY shop ORDER BY d), DENSE_RANK() OVER (PARTITION BY shop ORDER BY d) FROM sale ORDER BY id;
--> 1 | 1 | 1
--> 2 | 2 | 2
--> 3 | 2 | 2
--> 4 | 1 | 1
--> 5 | 2 | 2
--> 6 | 1 | 1
SELECT id, PERCENT_RANK() OVER (ORDER BY d), CUME_DIST() OVER (ORDER BY d), NTILE(4) OVER (ORDER BY id) FROM sale ORDER BY id;
--> 1 | 0.0 | 0.5 | 1
--> 2 | 0.6 | 0.8333333333333334 | 1
--> 3 | 0.6 | 0.8333333333333334 | 2
--> 4 | 0.0 | 0.5 | 2
--> 5 | 1.0 | 1.0 | 3
--> 6 | 0.0 | 0.5 | 4
SELECT id, LAG(price) OVER (ORDER BY id), LEAD(id, 2) OVER (ORDER BY id), LAG(id, 1, -1) OVER (PARTITION BY shop ORDER BY id) FROM sale ORDER BY id;
--> 1 | NULL | 3 | -1
--> 2 | 10.00 | 4 | 1
--> 3 | 20.00 | 5 | 2
--> 4 | 5.00 | 6 | -1
--> 5 | 7.00 | NULL | 4
--> 6 | NULL | NULL | -1
SELECT id, MIN(id) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING), FIRST_VALUE(id) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING) FROM sale ORDER BY id;
--> 1 | 3 | 3
--> 2 | 4 | 4
--> 3 | 5 | 5
--> 4 | 6 | 6
--> 5 | NULL | NULL
--> 6 | NULL | NULL
SELECT id, FIRST_VALUE(id) OVER w, LAST_VALUE(id) OVER w, NTH_VALUE(id, 2) OVER w FROM sale WINDOW w AS (PARTITION BY shop ORDER BY d) ORDER BY id;
--> 1 | 1 | 1 | NULL
--> 2 | 1 | 3 | 2
--> 3 | 1 | 3 | 2
--> 4 | 4 | 4 | NULL
--> 5 | 4 | 5 | 5
--> 6 | 6 | 6 | NULL
SELECT id, COUNT(*) OVER (), COUNT(price) OVER (), SUM(price) OVER (), AVG(price) OVER (), MIN(price) OVER (), MAX(weight) OVER () FROM sale ORDER BY id;
--> 1 | 6 | 5 | 43.00 | 8.600000 | 1.00 | 4.0
--> 2 | 6 | 5 | 43.00 | 8.600000 | 1.00 | 4.0
--> 3 | 6 | 5 | 43.00 | 8.600000 | 1.00 | 4.0
--> 4 | 6 | 5 | 43.00 | 8.600000 | 1.00 | 4.0
--> 5 | 6 | 5 | 43.00 | 8.600000 | 1.00 | 4.0
--> 6 | 6 | 5 | 43.00 | 8.600000 | 1.00 | 4.0
SELECT id, SUM(price) OVER (PARTITION BY shop ORDER BY d, id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM sale ORDER BY id;
--> 1 | 30.00
--> 2 | 35.00
--> 3 | 25.00
--> 4 | 7.00
--> 5 | 7.00
--> 6 | 1.00
SELECT id, SUM(weight) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), AVG(weight) OVER (ORDER BY id) FROM sale ORDER BY id;
--> 1 | 1.5 | 1.5
--> 2 | 4.0 | 2.0
--> 3 | 2.5 | 2.0
--> 4 | 0.5 | 1.5
--> 5 | 4.5 | 2.125
--> 6 | 5.0 | 1.9
SELECT id, MIN(price) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING), MAX(price) OVER (ORDER BY id ROWS 1 PRECEDING) FROM sale ORDER BY id;
--> 1 | 5.00 | 10.00
--> 2 | 7.00 | 20.00
--> 3 | 1.00 | 20.00
--> 4 | 1.00 | 7.00
--> 5 | NULL | 7.00
--> 6 | NULL | 1.00
SELECT id, SUM(d) OVER (ORDER BY d), SUM(d) OVER (ORDER BY d RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM sale ORDER BY id;
--> 1 | 3 | 10
--> 2 | 7 | 7
--> 3 | 7 | 7
--> 4 | 3 | 10
--> 5 | 10 | 3
--> 6 | 3 | 10
SELECT id, AVG(d) OVER (PARTITION BY shop) FROM sale ORDER BY id;
--> 1 | 1
--> 2 | 1
--> 3 | 1
--> 4 | 2
--> 5 | 2
--> 6 | 1
SELECT shop, SUM(price), RANK() OVER (ORDER BY SUM(price) DESC), SUM(SUM(price)) OVER () FROM sale GROUP BY shop ORDER BY shop;
--> NULL | 1.00 | 3 | 43.00
--> a | 35.00 | 1 | 43.00
--> b | 7.00 | 2 | 43.00
SELECT * FROM (SELECT id, shop, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY price DESC, id) AS place FROM sale) q WHERE place = 1 ORDER BY id;
--> 2 | a | 1
--> 4 | b | 1
--> 6 | NULL | 1
SELECT * FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS number FROM sale) q WHERE id = 4;
--> 4 | 4
SELECT * FROM (SELECT id, COUNT(*) OVER (PARTITION BY id) AS number FROM sale) q WHERE id = 4;
--> 4 | 1
EXPLAIN SELECT * FROM (SELECT id, COUNT(*) OVER (PARTITION BY id) AS number FROM sale) q WHERE id = 4;
--> scope: KEY(partition value = 4)
--> project ID, COUNT as NUMBER
-->   window COUNT() for each SALE.ID
-->     unique lookup SALE by SALE_PK: ID = 4
SELECT city, id, ROW_NUMBER() OVER (PARTITION BY city ORDER BY id) FROM sale LEFT JOIN shop ON name = shop ORDER BY id;
--> Ulm | 1 | 1
--> Ulm | 2 | 2
--> Ulm | 3 | 3
--> Bonn | 4 | 1
--> Bonn | 5 | 2
--> NULL | 6 | 1
SELECT id, LAG(shop) OVER (ORDER BY id), LAG(shop, 1, 'none') OVER (ORDER BY id) FROM sale ORDER BY id;
--> 1 | NULL | none
--> 2 | a | a
--> 3 | a | a
--> 4 | a | a
--> 5 | b | b
--> 6 | b | b
SELECT name, ROW_NUMBER() OVER (ORDER BY name DESC) FROM shop ORDER BY 2;
--> b | 1
--> a | 2
SELECT id, SUM(price) OVER (ORDER BY id ROWS ? PRECEDING) FROM sale WHERE id < 4 ORDER BY id;
--? 1
--> 1 | 10.00
--> 2 | 30.00
--> 3 | 25.00
--? 0
--> 1 | 10.00
--> 2 | 20.00
--> 3 | 5.00
--? -1
--! the number of rows to an end of a window's frame is NULL or negative
SELECT id, ROW_NUMBER() OVER (ORDER BY price) FROM sale ORDER BY id;
--> 1 | 5
--> 2 | 6
--> 3 | 3
--> 4 | 4
--> 5 | 1
--> 6 | 2
SELECT id, ROW_NUMBER() OVER (ORDER BY price DESC) FROM sale ORDER BY id;
--> 1 | 2
--> 2 | 1
--> 3 | 4
--> 4 | 3
--> 5 | 6
--> 6 | 5
SELECT id, ROW_NUMBER() OVER (ORDER BY price NULLS LAST) FROM sale ORDER BY id;
--> 1 | 4
--> 2 | 5
--> 3 | 2
--> 4 | 3
--> 5 | 6
--> 6 | 1
SELECT COUNT(DISTINCT shop) OVER () FROM sale;
--! COUNT(DISTINCT ...) OVER is not supported: use a derived table at line 1, column 8
SELECT id, SUM(d) OVER (ORDER BY d RANGE 1 PRECEDING) FROM sale;
--! RANGE with an offset is not supported: use ROWS, UNBOUNDED or CURRENT ROW at line 1, column 1
SELECT id, SUM(d) FILTER (WHERE d > 1) OVER (ORDER BY id) FROM sale ORDER BY id;
--> 1 | NULL
--> 2 | 2
--> 3 | 4
--> 4 | 4
--> 5 | 7
--> 6 | 7
SELECT NTILE(0) OVER (ORDER BY id) FROM sale;
--! NTILE needs a positive number of tiles, but this one is 0
SELECT id FROM sale WHERE ROW_NUMBER() OVER (ORDER BY id) = 1;
--! Windowed aggregate expression is illegal in WHERE clause at line 1, column 27
SELECT SUM(9000000000000000000 + d) OVER () FROM sale;
--! 54000000000000000010 is out of range for BIGINT
SELECT id, (SELECT city FROM shop WHERE name = shop), ROW_NUMBER() OVER (ORDER BY id) FROM sale ORDER BY id;
--> 1 | Ulm | 1
--> 2 | Ulm | 2
--> 3 | Ulm | 3
--> 4 | Bonn | 4
--> 5 | Bonn | 5
--> 6 | NULL | 6
SELECT id, 1 + RANK() OVER (ORDER BY d) * 2 FROM sale ORDER BY 2 DESC, id LIMIT 2;
--> 5 | 13
--> 2 | 9
SELECT name FROM shop WHERE (SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (ORDER BY id) n FROM sale WHERE shop = name) q WHERE n > 1) = 1;
--! a sub-query has a window function over rows of the partitioned table SALE in all partitions: add the partitioning column to PARTITION BY, or bind it to a value at line 1, column 98
