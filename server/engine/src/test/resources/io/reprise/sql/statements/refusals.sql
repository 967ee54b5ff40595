-- What is refused is refused in our words, at its place.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER);
CREATE TABLE customers (x INTEGER);
INSERT INTO t VALUES (7, 1), (8, 0);
INSERT INTO customers VALUES (1), (2);
TABLE t;
--> 7 | 1
--> 8 | 0
TABLE t ORDER BY a;
--> 8 | 0
--> 7 | 1
TABLE t ORDER BY a LIMIT 1;
--> 8 | 0
SELECT * FROM t x JOIN t y ON (SELECT x.a = y.a);
--> 7 | 1 | 7 | 1
--> 8 | 0 | 8 | 0
SELECT x.id, y.id FROM t x JOIN t y ON x.id = y.id AND (SELECT x.a = y.a) WHERE x.id > 7;
--> 8 | 8
SELECT x.id FROM t x LEFT JOIN t y ON (SELECT x.a = y.a);
--! a sub-query in ON
SELECT x.id FROM t x LEFT JOIN t y ON (SELECT x.a = 1);
--! a sub-query in ON
SELECT x.id FROM t x WHERE x.a IN (SELECT y.a FROM t y LEFT JOIN t z ON (SELECT x.a = y.a));
--! a sub-query in ON
SELECT x.id, z.id FROM t x JOIN t y ON (SELECT x.a = y.a) JOIN t z ON (SELECT z.a = y.a) ORDER BY 1;
--> 7 | 7
--> 8 | 8
UPDATE t SET a = (SELECT (10, 11)) WHERE id = 7;
--! a row
SELECT (1, 2);
--! a row
SELECT EXTRACT("YEAR" FROM DATE '2022-09-08');
--! EXTRACT
SELECT TIME WITH TIME ZONE '11:22:33 Europe/London';
--! TIME
SELECT CAST('x' AS GEOMETRY);
--! GEOMETRY
WITH c AS (SELECT 1), c AS (SELECT 2) SELECT * FROM c;
--! C is named twice in WITH
SELECT * FROM customers p, customers q ORDER BY x;
--! ambiguous
SELECT x FROM customers LIMIT 1.5;
--! LIMIT
SELECT x FROM customers OFFSET 1.5;
--! OFFSET
SELECT x FROM customer;
--! there is no table CUSTOMER; did you mean CUSTOMERS?
DELETE FROM customer;
--! there is no table CUSTOMER; did you mean CUSTOMERS?
INSERT INTO customer VALUES (1);
--! there is no table CUSTOMER; did you mean CUSTOMERS?
TRUNCATE TABLE customer;
--! there is no table CUSTOMER; did you mean CUSTOMERS?
SELECT y.x FROM customers;
--! Y
SELECT idd FROM t;
--! IDD
SELECT ARRAY_AGG(a) FROM t;
--! the function ARRAY_AGG is not supported
SELECT LIN(a) FROM t;
--! did you mean LEN?
