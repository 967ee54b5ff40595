-- Views are planned within the statements that name them.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b TEXT);
PARTITION TABLE t ON COLUMN id;
CREATE VIEW big AS SELECT id, a FROM t WHERE a > 15;
CREATE VIEW counted (word, times) AS SELECT b, COUNT(*) FROM t GROUP BY b;
CREATE VIEW of_view AS SELECT v.id AS key, a * 2 AS twice FROM big AS v;
CREATE OR REPLACE VIEW big AS SELECT id, a FROM t WHERE a > 10;
INSERT INTO t VALUES (1, 10, 'x'), (2, 20, 'y'), (3, 30, 'x');
--> 3
SELECT * FROM big ORDER BY id;
--# ID | A
--> 2 | 20
--> 3 | 30
SELECT * FROM counted ORDER BY word;
--# WORD | TIMES
--> x | 2
--> y | 1
SELECT c.times FROM counted AS c WHERE c.word = 'y';
--> 1
SELECT k, w FROM of_view AS o (k, w) WHERE k = 3;
--> 3 | 60
SELECT big.a FROM big JOIN of_view ON big.id = of_view.key WHERE big.id = 2;
--> 20
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM big WHERE big.id = t.id AND t.id = 2);
--> 2
WITH big AS (SELECT 7 AS id) SELECT id FROM big;
--> 7
TABLE counted ORDER BY 1 LIMIT 1;
--> x | 2
DELETE FROM t WHERE id IN (SELECT key FROM of_view WHERE key = 3);
--> 1
SELECT '5'::TEXT || b FROM t WHERE id = 1;
--> 5x
UPDATE big SET a = 1;
--! BIG is a view, which can't be written: write its tables
SELECT nothing FROM big;
--! Column 'NOTHING' not found
EXPLAIN SELECT a FROM big WHERE id = 2;
--~ lookup T by T_PK
