-- Types that are held as others are.
CREATE TABLE u (id UUID NOT NULL PRIMARY KEY, r REAL, j JSON, b JSONB, t TIMESTAMPTZ, p TIMESTAMP, d UUID DEFAULT '00000000-0000-0000-0000-0000000000ff', f REAL DEFAULT 0.1);
CREATE TABLE v (id UUID NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (id, n));
PARTITION TABLE u ON COLUMN id;
PARTITION TABLE v ON COLUMN id;

INSERT INTO u VALUES ('123e4567-e89b-12d3-a456-426614174000', 0.1, '{"a": 1}', '[1, 2]', '2026-01-31 12:00:00+02', '2026-01-31 12:00:00', '{123E4567E89B12D3A456426614174001}', 1.5), ('00000000-0000-0000-0000-000000000001', 16777217, NULL, 'null', '2026-06-01 00:30:00.25-03:30', NULL, NULL, NULL);
INSERT INTO u (id, t) VALUES (CAST('ffffffff-ffff-ffff-ffff-ffffffffffff' AS UUID), TIMESTAMP '2026-01-31 10:00:00');
INSERT INTO v VALUES ('123e4567-e89b-12d3-a456-426614174000', 1), ('123e4567-e89b-12d3-a456-426614174000', 2);
SELECT CAST(id AS VARCHAR), r, j, b, CAST(t AS VARCHAR), p, CAST(d AS VARCHAR), f FROM u ORDER BY id;
--> 00000000-0000-0000-0000-000000000001 | 1.6777216E7 | NULL | null | 2026-06-01 04:00:00.250000+00 | NULL | NULL | NULL
--> 123e4567-e89b-12d3-a456-426614174000 | 0.10000000149011612 | {"a": 1} | [1, 2] | 2026-01-31 10:00:00+00 | 2026-01-31 12:00:00 | 123e4567-e89b-12d3-a456-426614174001 | 1.5
--> ffffffff-ffff-ffff-ffff-ffffffffffff | NULL | NULL | NULL | 2026-01-31 10:00:00+00 | NULL | 00000000-0000-0000-0000-0000000000ff | 0.10000000149011612
SELECT n FROM v WHERE id = '123e4567-e89b-12d3-a456-426614174000' ORDER BY n;
--> 1
--> 2
SELECT n FROM v WHERE id = ? ORDER BY n;
--? 123e4567-e89b-12d3-a456-426614174000
--> 1
--> 2
--? 123E4567E89B12D3A456426614174000
--> 1
--> 2
--? nothing
--! 'nothing' is not a UUID such as 123e4567-e89b-12d3-a456-426614174000
SELECT COUNT(*) FROM u JOIN v ON u.id = v.id;
--> 2
SELECT CAST(id AS VARCHAR) FROM u WHERE id IN ('00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id;
--> 00000000-0000-0000-0000-000000000001
--> ffffffff-ffff-ffff-ffff-ffffffffffff
SELECT CAST(id AS VARCHAR) FROM u WHERE id > '7fffffff-ffff-ffff-ffff-ffffffffffff' ORDER BY id;
--> ffffffff-ffff-ffff-ffff-ffffffffffff
SELECT CAST(id AS VARCHAR(36)) FROM u WHERE t = '2026-01-31 10:00:00+00' ORDER BY id;
--> 123e4567-e89b-12d3-a456-426614174000
--> ffffffff-ffff-ffff-ffff-ffffffffffff
SELECT CAST(t AS VARCHAR), CAST(t + INTERVAL '1' DAY AS VARCHAR), EXTRACT(HOUR FROM t), CAST(CAST(t AS TIMESTAMP) AS VARCHAR) FROM u ORDER BY id LIMIT 1;
--> 2026-06-01 04:00:00.250000+00 | 2026-06-02 04:00:00.250000+00 | 4 | 2026-06-01 04:00:00.250000
SELECT CAST(MIN(t) AS VARCHAR), CAST(MAX(t) AS VARCHAR), COUNT(DISTINCT t) FROM u;
--> 2026-01-31 10:00:00+00 | 2026-06-01 04:00:00.250000+00 | 2
SELECT r = 0.1, r = CAST(0.1 AS REAL), r + r, CAST(r AS VARCHAR), CAST(r AS DOUBLE) FROM u WHERE j IS NOT NULL;
--> true | true | 0.20000000298023224 | 0.1 | 0.10000000149011612
SELECT SUM(r) > 16777215 FROM u;
--> true
UPDATE u SET r = r * 3, j = '{"b": [true, null, -1.5e3, "\u00e9"]}' WHERE id = '123e4567-e89b-12d3-a456-426614174000';
--> 1
SELECT CAST(r AS VARCHAR), j FROM u WHERE id = '123e4567-e89b-12d3-a456-426614174000';
--> 0.3 | {"b": [true, null, -1.5e3, "\u00e9"]}
UPDATE u SET j = '{"b": }';
--! invalid input syntax for type json: a value was expected at byte 7
UPDATE u SET j = '';
--! invalid input syntax for type json: a value was expected at byte 1
UPDATE u SET b = '[1] 2';
--! invalid input syntax for type json: the end of the text was expected at byte 5
UPDATE u SET id = 'abc';
--! the partitioning column ID of table U cannot be updated, since the row would belong to another partition: delete the row and insert it again at line 1, column 14
SELECT CAST('abc' AS UUID);
--! 'abc' is not a UUID such as 123e4567-e89b-12d3-a456-426614174000, in CAST('abc' AS UUID)
SELECT CAST(CAST(id AS TEXT) AS UUID) = id FROM v WHERE n = 1;
--> true
SELECT CAST(1e39 AS REAL);
--! 1.0E39 is out of range for REAL, in CAST(1.0E39 AS REAL)
SELECT CAST('2026-01-31 12:00:00+25' AS TIMESTAMPTZ);
--! '2026-01-31 12:00:00+25' is not a TIMESTAMPTZ such as 2024-12-31 23:59:59+02, in CAST('2026-01-31 12:00:00+25' AS TIMESTAMPTZ)
SELECT CAST(CAST('2026-01-31 12:00:00Z' AS TIMESTAMP WITH TIME ZONE) AS VARCHAR);
--> 2026-01-31 12:00:00+00
SELECT j FROM u WHERE CAST(j AS TEXT) LIKE '%b%';
--> {"b": [true, null, -1.5e3, "\u00e9"]}
SELECT COALESCE(id, CAST('00000000-0000-0000-0000-000000000000' AS UUID)) = id FROM u ORDER BY id LIMIT 1;
--> true
SELECT COUNT(*) FROM (SELECT id FROM u UNION SELECT id FROM v) q;
--> 3
SELECT id + 1 FROM u;
--! Cannot apply '+' to arguments of type '<UUID> + <INTEGER>'. Supported form(s): '<NUMERIC> + <NUMERIC>' at line 1, column 8
SELECT CAST(id AS INTEGER) FROM u;
--! a value of type UUID cannot be converted to INTEGER at line 1, column 8
EXPLAIN SELECT n FROM v WHERE id = '123e4567-e89b-12d3-a456-426614174000' AND n = 1;
--> scope: KEY(partition value = CAST('123e4567-e89b-12d3-a456-426614174000' AS UUID))
--> project V.N
-->   unique lookup V by V_PK: ID = CAST('123e4567-e89b-12d3-a456-426614174000' AS UUID), N = 1
EXPLAIN SELECT r FROM u WHERE id IN ('123e4567-e89b-12d3-a456-426614174000');
--> scope: KEY(partition value = CAST('123e4567-e89b-12d3-a456-426614174000' AS UUID))
--> project U.R
-->   unique lookup U by U_PK: ID = CAST('123e4567-e89b-12d3-a456-426614174000' AS UUID)
