-- The operators of JSON.
CREATE TABLE d (id INTEGER NOT NULL PRIMARY KEY, j JSON, k VARCHAR(10), n INTEGER);

INSERT INTO d VALUES (1, '{"a": {"b": [1, 2.5, "x\u0041\n"]}, "s": "tex\"t", "z": null}', 's', 0), (2, '[10, {"a": true}, "last"]', 'a', -1), (3, '"text"', NULL, 5), (4, NULL, 'a', 1), (5, '{"a": 1, "a": 2, "\u0061b": 3, "": 4}', 'ab', NULL);
SELECT id, j -> 'a', j ->> 's', j ->> 'z', j -> 'z' FROM d ORDER BY id;
--> 1 | {"b": [1, 2.5, "x\u0041\n"]} | tex"t | NULL | null
--> 2 | NULL | NULL | NULL | NULL
--> 3 | NULL | NULL | NULL | NULL
--> 4 | NULL | NULL | NULL | NULL
--> 5 | 2 | NULL | NULL | NULL
SELECT j -> 'a' -> 'b' -> 1, j -> 'a' -> 'b' ->> -1 = E'xA\n', j -> 'a' -> 'b' -> 7 FROM d WHERE id = 1;
--> 2.5 | true | NULL
SELECT id, j ->> k, j -> n FROM d ORDER BY id;
--> 1 | tex"t | NULL
--> 2 | NULL | "last"
--> 3 | NULL | NULL
--> 4 | NULL | NULL
--> 5 | 3 | NULL
SELECT id FROM d WHERE j ->> 'a' = '2' OR j -> 1 ->> 'a' = 'true' ORDER BY id;
--> 2
--> 5
SELECT CAST(j ->> 'a' AS INTEGER) + 1, UPPER(j ->> '') || '!' FROM d WHERE id = 5;
--> 3 | 4!
SELECT j ->> ? FROM d WHERE id = 5;
--? ab
--> 3
SELECT COALESCE(j -> 'no', '[]') FROM d WHERE id = 5;
--> []
SELECT COUNT(j -> 'a'), MAX(j ->> 'a') FROM d;
--> 2 | {"b": [1, 2.5, "x\u0041\n"]}
SELECT '{"a": 1}'::JSON -> 'a', '{"a": 1' -> 'a';
--! invalid input syntax for type json
UPDATE d SET j = j -> 'a' WHERE id = 1;
--> 1
SELECT j ->> 'b' FROM d WHERE id = 1;
--> [1, 2.5, "x\u0041\n"]
