-- Tables that are joined on their partitioning columns, also through an outer join.
CREATE TABLE c (id INTEGER NOT NULL PRIMARY KEY);
CREATE TABLE o (cid INTEGER NOT NULL, oid INTEGER NOT NULL, PRIMARY KEY (cid, oid));
CREATE TABLE i (cid INTEGER NOT NULL, oid INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (cid, oid, n));
PARTITION TABLE c ON COLUMN id;
PARTITION TABLE o ON COLUMN cid;
PARTITION TABLE i ON COLUMN cid;
INSERT INTO c VALUES (1), (2), (3);
--> 3
INSERT INTO o VALUES (1, 1), (1, 2), (2, 1);
--> 3
INSERT INTO i VALUES (1, 1, 1), (1, 1, 2), (2, 1, 1), (3, 1, 1);
--> 4
SELECT c.id, o.oid, i.n FROM c LEFT JOIN o ON o.cid = c.id LEFT JOIN i ON i.cid = o.cid AND i.oid = o.oid ORDER BY 1, 2, 3;
--> 1 | 1 | 1
--> 1 | 1 | 2
--> 1 | 2 | NULL
--> 2 | 1 | 1
--> 3 | NULL | NULL
SELECT c.id, o.oid, i.n FROM c LEFT JOIN o ON o.cid = c.id LEFT JOIN i ON i.cid = c.id AND i.oid = o.oid ORDER BY 1, 2, 3;
--> 1 | 1 | 1
--> 1 | 1 | 2
--> 1 | 2 | NULL
--> 2 | 1 | 1
--> 3 | NULL | NULL
SELECT c.id, i.n FROM c LEFT JOIN o ON o.cid = c.id JOIN i ON i.cid = o.cid AND i.oid = o.oid ORDER BY 1, 2;
--> 1 | 1
--> 1 | 2
--> 2 | 1
SELECT EXISTS (SELECT 1 FROM o WHERE oid > 1), EXISTS (SELECT 1 FROM o WHERE oid > 2) FROM c;
--! EXISTS as a value looks for rows of the partitioned table O in all partitions
