-- A key of several columns finds rows by its first columns.
CREATE TABLE a (p INTEGER NOT NULL, q INTEGER NOT NULL, v INTEGER, PRIMARY KEY (p, q));
CREATE TABLE h (p INTEGER NOT NULL, q INTEGER NOT NULL, v INTEGER, PRIMARY KEY (p, q) USING HASH, UNIQUE (v, q));
EXPLAIN SELECT v FROM a WHERE p = 1;
--~ range A by
EXPLAIN SELECT v FROM h WHERE p = 1;
--~ scan H where H.P = 1; H_PK is a hash index, which finds whole keys only
EXPLAIN SELECT p FROM h WHERE v = 1;
--~ range H by
