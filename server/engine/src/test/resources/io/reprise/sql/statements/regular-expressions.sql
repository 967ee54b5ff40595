-- Regular expressions, in PostgreSQL's notation.
CREATE TABLE w (id INTEGER NOT NULL PRIMARY KEY, s VARCHAR(40), e VARCHAR(20));

INSERT INTO w VALUES (1, 'abc', '^a'), (2, 'ABC def', 'd.f$'), (3, 'x1 é€', '[[:digit:]]'), (4, NULL, 'a'), (5, '', '^$'), (6, 'a.b', '\.');

SELECT id FROM w WHERE s ~ 'b' ORDER BY id;
--> 1
--> 6
SELECT id FROM w WHERE s ~* 'B|X' ORDER BY id;
--> 1
--> 2
--> 3
--> 6
SELECT id FROM w WHERE s !~ '[a-c]+' ORDER BY id;
--> 2
--> 3
--> 5
SELECT id FROM w WHERE s !~* '^a' ORDER BY id;
--> 3
--> 5
SELECT id, s ~ e FROM w ORDER BY id;
--> 1 | true
--> 2 | true
--> 3 | true
--> 4 | NULL
--> 5 | true
--> 6 | true
SELECT id FROM w WHERE s ~ '^.{7}$' OR s ~ '^x\d\s..$' ORDER BY id;
--> 2
--> 3
SELECT 'foobar' ~ 'o{2}b', 'foobar' ~ '^(foo|bar){2}$', 'foobar' ~ 'ob*r', 'foobar' ~ '(?:o+)b', 'a' ~ 'a??b';
--> true | true | false | true | false
SELECT 'one two' ~ '\mtwo\M', 'onetwo' ~ '\mtwo', 'one two' ~ '\ytwo', 'a_b' ~ '^\w+$', 'a-b' ~ '^\w+$', 'a-b' ~ '^[\w-]+$';
--> true | false | true | true | false | true
SELECT 'a]b' ~ '[]]', 'a^b' ~ '[a^]b', 'tab	x' ~ '\t', 'A' ~ '\x41', 'é' ~ '\u00e9', 'É' ~* 'é', 'é' ~ '^[[:alpha:]]$', 'a' ~ '[^a]';
--> true | true | true | true | true | true | true | false
SELECT 'a+b' ~ '***=a+b', 'aab' ~ '***=a+b', 'ABC' ~ '(?i)abc', 'x{y' ~ 'x{y', 'ab' ~ 'a$|b$', '' ~ '', 'abc' ~ 'a(|x)bc';
--> true | false | true | true | true | true | true
SELECT REGEXP_LIKE('Abc', 'aB', 'i'), REGEXP_LIKE('Abc', 'aB'), REGEXP_LIKE(NULL, 'a');
--> true | false | NULL
SELECT s ~ ? FROM w WHERE id = 1;
--? b+
--> true
--? ^b
--> false
SELECT REPEAT('a', 5000) ~ '^(a|aa)+$', REPEAT('a', 5000) ~ '^(a|aa)+b$', REPEAT('a', 30) ~ '^(a?){30}a{30}$';
--> true | false | true
SELECT 'a' ~ '(';
--! invalid regular expression: parentheses () not balanced
SELECT 'a' ~ 'a)';
--! invalid regular expression: parentheses () not balanced
SELECT 'a' ~ '*';
--! invalid regular expression: quantifier operand invalid
SELECT 'a' ~ '[b';
--! invalid regular expression: brackets [] not balanced
SELECT 'a' ~ '[[:nothing:]]';
--! invalid regular expression: invalid character class
SELECT 'a' ~ 'a{3,1}';
--! invalid regular expression: invalid repetition count
SELECT 'a' ~ '(a)\1';
--! a regular expression can't refer to what it has matched
SELECT 'a' ~ '(?=a)';
--! a regular expression can't look around
SELECT 'a' ~ '\';
--! invalid regular expression: invalid escape \ sequence
