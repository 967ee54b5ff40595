CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER);
INSERT INTO t VALUES (1, 5), (2, 5);
SELECT TIMESTAMP '12020-01-01 00:00:00';
--> +12020-01-01 00:00:00
SELECT TIMESTAMP '294247-01-10 04:00:54';
--> +294247-01-10 04:00:54
SELECT CAST('12020-01-01 00:00:00' AS TIMESTAMP);
--> +12020-01-01 00:00:00
SELECT DATE '12020-01-01';
--> +12020-01-01
SELECT DATE '2022-01-31', DATE '1582-10-10', TIMESTAMP '1582-10-10 00:00:00';
--> 2022-01-31 | 1582-10-10 | 1582-10-10 00:00:00
SELECT DATE '2022-02-31';
--! there is no day 2022-02-31
SELECT DATE 'x';
--! DATE
-- No comment begins with slashes.
SELECT 10 // 2
;
--! unexpected "//"
DELETE FROM t WHERE a = 5 // 1 AND id = 1
;
--! unexpected "//"
SELECT 'a//b', 1 -- c // d
;
--> a//b | 1
SELECT /* // */ 6 / /**/ 2;
--> 3
-- Escapes of characters.
SELECT U&'\+01F600', CHAR_LENGTH(U&'\+01F600'), OCTET_LENGTH(U&'\d83d\de00');
--> 😀 | 1 | 4
SELECT U&'a\0030a\+000025a';
--> a0a%a
SELECT U&'a!0030!!' UESCAPE '!';
--> a0!
SELECT U&'it''s \\';
--> it's \
SELECT OCTET_LENGTH(U&'\d83d');
--! surrogate
SELECT U&'\00zz';
--! U&
SELECT U&'a' UESCAPE '+';
--! UESCAPE
SELECT U&'\0041' = 'A', U&'\0041' || 'x', U&'\0041' IN ('A', 'B');
--> true | Ax | true
SELECT e'a' = 'a', E'a\n\'\\\x41\u0042';
--> true | a␊'\AB
SELECT N'a' = 'a';
--> true
SELECT _latin1'a';
--! character set
-- A number ends before a letter only where there is a blank.
SELECT 0x1F;
--! 0x1F
SELECT 1_000;
--! 1_000
INSERT INTO t SELECT 3, 1_000;
--! 1_000
SELECT 1.5e3, 1e2, .5, 12e, 3;
--! 12e
SELECT 1.5e3, 1e2, .5, 1 AS e;
--> 1500.0 | 100.0 | 0.5 | 1
SELECT '1' IN (1, NULL), '2' IN (1, NULL), 1 IN ('1', NULL), 1 NOT IN ('2', NULL);
--> true | NULL | true | NULL
