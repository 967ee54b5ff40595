-- Tables of one name in several schemas.
CREATE SCHEMA shop;
CREATE SCHEMA IF NOT EXISTS shop;
CREATE SCHEMA "Mixed";
CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10));
CREATE TABLE shop.item (id INTEGER PRIMARY KEY, price INTEGER DEFAULT 5 CHECK (item.price > 0), UNIQUE (price));
CREATE TABLE "Mixed"."Part" (id INTEGER NOT NULL PRIMARY KEY, item INTEGER REFERENCES shop.item);
CREATE TABLE public.plain (id INTEGER NOT NULL PRIMARY KEY);
PARTITION TABLE public.item ON COLUMN id;
CREATE INDEX by_price ON shop.item (price, id);
CREATE VIEW shop.cheap AS SELECT item.id FROM shop.item WHERE shop.item.price < 7;
CREATE VIEW named AS IN SCHEMA shop, public SELECT item.price, plain.id FROM item, plain;
INSERT INTO item VALUES (1, 'pen'), (2, 'ink');
--> 2
INSERT INTO shop.item VALUES (1, 6), (2, 7) RETURNING item.id, shop.item.price;
--> 1 | 6
--> 2 | 7
INSERT INTO public.plain VALUES (9);
--> 1
INSERT INTO "Mixed"."Part" VALUES (1, 2), (2, NULL);
--> 2
INSERT INTO "Mixed"."Part" VALUES (3, 4);
--! a row of Mixed.Part violates foreign key Part_ITEM_FKEY: table SHOP.ITEM has no row that it names
INSERT INTO shop.item VALUES (3, 0);
--! violates CHECK ITEM_PRICE_CHECK
SELECT item.name, s.price FROM item JOIN shop.item AS s ON s.id = item.id ORDER BY 1;
--> ink | 7
--> pen | 6
SELECT shop.item.price, i.name FROM shop.item, public.item i WHERE shop.item.id = i.id AND i.id = 2;
--> 7 | ink
SELECT shop.item.* FROM shop.item WHERE id = (SELECT MAX(id) FROM public.item WHERE public.item.id < item.id + 1);
--> 2 | 7
IN SCHEMA shop SELECT price FROM item WHERE item.id = 1;
--> 6
IN SCHEMA nothing, public SELECT name FROM item WHERE id = 1;
--> pen
IN SCHEMA shop SELECT * FROM plain;
--! there is no table PLAIN in the schemas SHOP
IN SCHEMA shop, public SELECT price, plain.id FROM item, plain WHERE price = 6;
--> 6 | 9
IN SCHEMA shop WITH item AS (SELECT 3 AS x) SELECT x FROM item;
--> 3
SELECT id FROM shop.cheap;
--> 1
SELECT * FROM named ORDER BY 1;
--> 6 | 9
--> 7 | 9
TABLE shop.cheap;
--> 1
UPDATE shop.item SET price = item.price + 1 WHERE shop.item.price = 7;
--> 1
UPDATE shop.item SET price = price + p.id FROM public.plain AS p WHERE p.id = item.id + 7;
--> 1
INSERT INTO shop.item VALUES (2, 1) ON CONFLICT (id) DO UPDATE SET price = item.price + EXCLUDED.price WHERE item.price = 17;
--> 1
UPSERT INTO shop.item (id, price) VALUES (3, 11);
--> 1
DELETE FROM shop.item USING public.plain p WHERE p.id = item.id + 8;
--> 1
DELETE FROM item USING shop.item s WHERE s.id = item.id RETURNING item.name;
--> ink
SELECT id, price FROM shop.item ORDER BY id;
--> 2 | 18
--> 3 | 11
SELECT id, item FROM "Mixed"."Part" ORDER BY id;
--> 1 | 2
--> 2 | NULL
TRUNCATE TABLE "Mixed"."Part";
--> 2
IN SCHEMA shop TRUNCATE item;
--> 2
EXPLAIN SELECT id FROM shop.item WHERE price = 3 ORDER BY id;
--~ SHOP.
EXPLAIN SELECT id FROM public.item WHERE id = 2;
--~ lookup ITEM by ITEM_PK
SELECT * FROM shopp.item;
--! there is no schema SHOPP; did you mean SHOP?
SELECT * FROM shop.itm;
--! there is no table SHOP.ITM
UPDATE shop.cheap SET id = 1;
--! SHOP.CHEAP is a view, which can't be written: write its tables
