-- Rows are compared as a whole: by their first column that differs.
CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b INTEGER);
INSERT INTO t VALUES (1, 1, 2), (2, 1, 3);
--> 2
SELECT (1, 2) <> ANY (VALUES (1, 3));
--> true
SELECT (1, 2) = ALL (VALUES (1, 2), (1, 3));
--> false
SELECT (0, 5) < ANY (VALUES (1, 0));
--> true
SELECT (2, 0) <= ALL (VALUES (1, 0), (3, 0));
--> false
SELECT (1, 2) <= ALL (VALUES (1, 2), (1, 3), (2, 0));
--> true
SELECT (1, 2) >= ALL (VALUES (1, 2), (1, 1), (0, 7));
--> true
SELECT (1, 2) > ANY (VALUES (1, 2), (2, 1));
--> false
SELECT (1, 2) <> ANY (VALUES (1, CAST(NULL AS INTEGER)));
--> NULL
SELECT (1, 2) < ANY (VALUES (CAST(NULL AS INTEGER), 1));
--> NULL
SELECT (1, 2) <> ALL (VALUES (1, 3), (2, 2));
--> true
SELECT id FROM t WHERE (a, b) = ALL (SELECT 1, 2 FROM t);
--> 1
SELECT id FROM t WHERE (a, b) > ANY (SELECT 1, 2 FROM t);
--> 2
SELECT id FROM t WHERE NOT (a, b) <= ALL (SELECT 1, 2 FROM t);
--> 2
DELETE FROM t WHERE (a, b) <> ANY (SELECT 1, 2 FROM t);
--> 1
SELECT id FROM t;
--> 1
SELECT (1, 2) < ANY ((1, 3), (2, 4));
--! rows are compared with a list by = ANY and IN only
