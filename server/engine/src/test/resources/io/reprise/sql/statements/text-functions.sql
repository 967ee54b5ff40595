-- Functions that PostgreSQL's programs call; results are those of PostgreSQL.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, s VARCHAR(40), n DECIMAL(10, 2), d DOUBLE, g INTEGER NOT NULL);
PARTITION TABLE t ON COLUMN id;
INSERT INTO t VALUES (1, 'a,b,,c', 1234.50, 2, 1), (2, NULL, -0.5, 4, 1), (3, 'x1y22z', 0, 4, 1), (4, 'x', NULL, NULL, 2), (5, 'é', 12, 9, 3);
--> 5
SELECT MD5('abc'), MD5(''), MD5(s) FROM t WHERE id = 5;
--> 900150983cd24fb0d6963f7d28e17f72 | d41d8cd98f00b204e9800998ecf8427e | 66ddcd97cfdeabb2f6fb8a999b4bc76f
SELECT SPLIT_PART(s, ',', 1), SPLIT_PART(s, ',', 2), SPLIT_PART(s, ',', 3), SPLIT_PART(s, ',', 9), SPLIT_PART(s, ',', -1), SPLIT_PART(s, ',', -5), SPLIT_PART(s, ',,', 2) FROM t WHERE id = 1;
--> a | b |  |  | c |  | c
SELECT SPLIT_PART('a', '', 1), SPLIT_PART('a', '', 2), SPLIT_PART(NULL, ',', 1);
--> a |  | NULL
SELECT SPLIT_PART(s, ',', 0) FROM t;
--! there is no part 0
SELECT TRANSLATE('12345', '143', 'ax'), TRANSLATE('é', 'é', 'e');
--> a2x5 | e
SELECT CONCAT_WS(',', 'a', s, 'b') FROM t ORDER BY id;
--> a,a,b,,c,b
--> a,b
--> a,x1y22z,b
--> a,x,b
--> a,é,b
SELECT CONCAT_WS(NULL, 'a', 'b'), CONCAT_WS('--', 'a'), CONCAT_WS('-', NULL);
--> NULL | a | 
SELECT REGEXP_REPLACE(s, '[0-9]+', '#'), REGEXP_REPLACE(s, '[0-9]+', '#', 'g'), REGEXP_REPLACE(s, '([a-z])(\d)', '<\2\1>', 'g'), REGEXP_REPLACE(s, 'Y', '[\&]', 'i') FROM t WHERE id = 3;
--> x#y22z | x#y#z | <1x><2y>2z | x1[y]22z
SELECT REGEXP_REPLACE('abc', 'x*', '-', 'g'), REGEXP_REPLACE('abc', 'b*', '-', 'g'), REGEXP_REPLACE('ab', 'a|ab', 'x'), REGEXP_REPLACE('foobarbaz', 'b(..)', 'X\1Y', 'g');
--> -a-b-c- | -a--c- | x | fooXarYXazY
SELECT REGEXP_REPLACE('aXbXc', '.*?X', '-'), REGEXP_REPLACE('aXbXc', '.*X', '-'), REGEXP_REPLACE('ab', '^b', 'x', 'g'), REGEXP_REPLACE('bb', '\mb', 'x', 'g');
--> -bXc | -c | ab | xb
SELECT REGEXP_COUNT('123a45', '[0-9]'), REGEXP_COUNT('abc', 'x*'), TO_HEX(255), TO_HEX(-1::BIGINT), CBRT(27), GCD(12, -18), LCM(4, 6), DIV(7, 2), DIV(-7, 2);
--> 5 | 4 | ff | ffffffffffffffff | 3.0 | 6 | 12 | 3 | -3
SELECT TO_CHAR(TIMESTAMP '2026-03-05 15:04:05.678901', 'YYYY-MM-DD HH24:MI:SS.US'), TO_CHAR(TIMESTAMP '2026-03-05 15:04:05.678901', 'FMMonth FMDDth, YY; Day|DY|D|HH12:MI:SS.MS am|Q|WW|IW|DDD|J');
--> 2026-03-05 15:04:05.678901 | March 5th, 26; Thursday |THU|5|03:04:05.678 pm|1|10|10|064|2461105
SELECT TO_CHAR(DATE '2026-03-05', 'Mon MON mon "at" FMMM FMRM IYYY CC');
--> Mar MAR mar at 3 III 2026 21
SELECT TO_CHAR(n, '9,999.99'), TO_CHAR(n, 'FM9,999.99'), TO_CHAR(n, '0000.0'), TO_CHAR(n, 'S999'), TO_CHAR(n, 'FM999.00') FROM t ORDER BY id;
-->  1,234.50 | 1,234.5 |  1234.5 | +### | ###.##
-->      -.50 | -.5 | -0000.5 |   -1 | -.50
-->       .00 | 0. |  0000.0 |   +0 | .00
--> NULL | NULL | NULL | NULL | NULL
-->     12.00 | 12. |  0012.0 |  +12 | 12.00
SELECT TO_CHAR(12, '999'), TO_CHAR(-12, '999'), TO_CHAR(12, '099'), TO_CHAR(485, '9 9 9'), TO_CHAR(-485, '999MI'), TO_CHAR(-485, '999PR'), TO_CHAR(12.5::DOUBLE, '99.9'), TO_CHAR(0, '999');
-->   12 |  -12 |  012 |  4 8 5 | 485- | <485> |  12.5 |    0
SELECT TO_CHAR(n, '999.99'), TO_CHAR(n, 'FM9990999.9'), TO_CHAR(n, '999S'), TO_CHAR(n, 'FM999PR'), TO_CHAR(n, '99999.9PR'), TO_CHAR(n, 'PL9999') FROM t WHERE id < 4 ORDER BY id;
-->  ###.## | 1234.5 | ###+ | ### |   1234.5  | + 1235
-->    -.50 | -0000.5 |   1- | <1> |      <.5> |     -1
-->     .00 | 0000. |   0+ | 0 |       .0  | +    0
SELECT TO_CHAR(5, 'FM999'), TO_CHAR(1234567, '9,999,999'), TO_CHAR(-12, '9,999,999'), TO_CHAR(-12, 'S9999'), TO_CHAR(12, 'L9999'), TO_CHAR(0.5, 'FM9.9'), TO_CHAR(0, 'FM9.9'), TO_CHAR(-0.5, '9G990D99'), TO_CHAR(12345, '999');
--> 5 |  1,234,567 |        -12 |   -12 |     12 | .5 | 0. |     -0.50 |  ###
SELECT g, STDDEV(d), VARIANCE(n), VAR_POP(d), STDDEV_POP(d), VAR_SAMP(DISTINCT d) FROM t GROUP BY g ORDER BY g;
--> 1 | 1.1547005383792515 | 508202.5833333333 | 0.8888888888888888 | 0.9428090415820634 | 2.0
--> 2 | NULL | NULL | NULL | NULL | NULL
--> 3 | NULL | NULL | 0.0 | 0.0 | NULL
SELECT STDDEV_SAMP(d), VAR_SAMP(1000000000 + d) FILTER (WHERE g = 1) FROM t;
--> 2.9860788111948193 | 1.3333333333333333
INSERT INTO t SELECT 9, NULL, STDDEV(d), 0, 0 FROM t;
--! depend on the order
