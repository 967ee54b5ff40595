package io.reprise.sql.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.DdlException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every refusal of the lexer, the parser and the catalog editor, with the whole of its message. */
final class DdlRefusalTest {
    /** The catalog before the refused statements. */
    private static final Catalog CATALOG = CatalogScript.load("""
            CREATE TABLE orders (w_id SMALLINT NOT NULL, id INT NOT NULL, note VARCHAR(10), weight DOUBLE NOT NULL,
                PRIMARY KEY (w_id, id));
            PARTITION TABLE orders ON COLUMN w_id;
            CREATE INDEX orders_note ON orders (note);
            CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(20), price DECIMAL(5, 2) NOT NULL, rate DOUBLE NOT NULL,
                sold TIMESTAMP NOT NULL);
            CREATE UNIQUE INDEX item_name ON item (name);
            CREATE TABLE single (only_column INT);
            CREATE PROCEDURE Pay PARTITION ON TABLE orders COLUMN w_id FROM CLASS com.example.Pay;
            """);

    static Stream<Arguments> lexical() {
        return Stream.of(
                refused(
                        "CREATE TABLE t (a VARCHAR(5) DEFAULT 'x);",
                        1,
                        38,
                        "a string begins here and is never closed by '; inside it, ' is written twice"),
                refused(
                        "CREATE TABLE \"t (a INT);",
                        1,
                        14,
                        "a quoted name begins here and is never closed by \"; inside it, \" is written twice"),
                refused(
                        "CREATE TABLE t (a VARBINARY(5) DEFAULT x'00);",
                        1,
                        40,
                        "a binary literal begins here and is never closed by '; inside it, ' is written twice"),
                refused("CREATE TABLE t\n  /* (a INT);", 2, 3, "a comment begins here and is never closed by */"),
                refused(
                        "CREATE TABLE t (a\u00a0INT)\n; CREATE TABLE t2 (a# INT);",
                        1,
                        18,
                        "expected a type, but found the character U+00A0"));
    }

    static Stream<Arguments> statements() {
        return Stream.of(
                refused(
                        "CREATE PROCEDURE FROM CLASS a." + "X".repeat(129),
                        1,
                        29,
                        "the name of the procedure, which is that of the class, can't be longer than 128 characters, but this one"
                                + " has 129"),
                refused(
                        "CREATE PROCEDURE FROM CLASS a.Foo$",
                        1,
                        29,
                        "the name of the procedure, which is that of the class, can't be empty"),
                refused(
                        "CRATE TABLE t (a INT)",
                        1,
                        1,
                        "a statement can't begin with 'CRATE'; expected one of CREATE, DROP, ALTER, PARTITION, SELECT,"
                                + " VALUES, WITH, INSERT, UPSERT, UPDATE, DELETE, MERGE, TRUNCATE, EXPLAIN; did you mean"
                                + " CREATE?"),
                refused(
                        "42",
                        1,
                        1,
                        "a statement can't begin with '42'; expected one of CREATE, DROP, ALTER, PARTITION, SELECT, VALUES,"
                                + " WITH, INSERT, UPSERT, UPDATE, DELETE, MERGE, TRUNCATE, EXPLAIN"),
                refused(
                        "DROP TABLE single; SELECT 1 FROM item",
                        1,
                        20,
                        "a schema script has DDL statements only, but this is a QUERY"),
                refused(
                        "CREATE TABEL t (a INT)",
                        1,
                        8,
                        "expected TABLE, INDEX, UNIQUE INDEX, PROCEDURE, OR REPLACE PROCEDURE, VIEW, SEQUENCE or SCHEMA, but found 'TABEL'; did you"
                                + " mean TABLE?"),
                refused(
                        "CREATE",
                        1,
                        7,
                        "expected TABLE, INDEX, UNIQUE INDEX, PROCEDURE, OR REPLACE PROCEDURE, VIEW, SEQUENCE or SCHEMA, but found the end of the"
                                + " statement"),
                refused("CREATE UNIQUE TABLE t (a INT)", 1, 15, "expected INDEX, but found 'TABLE'"),
                refused("CREATE VIEW v AS DELETE FROM item", 1, 18, "expected a query, but found 'DELETE'"),
                refused("CREATE VIEW v AS SELECT ?", 1, 25, "a view's query can't have parameters"),
                refused(
                        "CREATE VIEW item AS SELECT 1",
                        1,
                        13,
                        "there is a table ITEM; choose another name for the view"),
                refused(
                        "CREATE MATERIALIZED VIEW v AS SELECT 1",
                        1,
                        8,
                        "materialized views are not supported; keep the sums in a table"),
                refused("CREATE STREAM s (a INT)", 1, 8, "streams are not supported"),
                refused(
                        "CREATE SEQUENCE s STEP 2",
                        1,
                        19,
                        "expected START, INCREMENT, MINVALUE, MAXVALUE, CACHE, CYCLE, OWNED BY"
                                + " or the end of the statement, but found 'STEP'"),
                refused(
                        "CREATE FUNCTION f FROM METHOD a.b",
                        1,
                        8,
                        "functions are not supported; compute it in a procedure"),
                refused("CREATE TRIGGER t", 1, 8, "triggers are not supported; do it in the procedure that writes"),
                refused("CREATE TEMPORARY TABLE t (a INT)", 1, 8, "temporary tables are not supported"),
                refused(
                        "CREATE SCHEMA s CREATE TABLE t (a INT)",
                        1,
                        17,
                        "CREATE SCHEMA makes an empty schema; write what is in it as statements of their own"),
                refused("CREATE DATABASE d", 1, 8, "a process has one database, which need not be created"),
                refused("CREATE ROLE r", 1, 8, "roles are not supported"),
                refused("CREATE USER u", 1, 8, "users are not supported"),
                refused("CREATE TASK t", 1, 8, "tasks are not supported"),
                refused("CREATE TOPIC t", 1, 8, "topics are not supported"),
                refused(
                        "CREATE ASSUMEUNIQUE INDEX i ON item (id)",
                        1,
                        8,
                        "ASSUMEUNIQUE is not supported; use UNIQUE with the partitioning column"),
                refused("DROP VIEW v", 1, 11, "there is no view V"),
                refused(
                        "DROP TABLE item orders",
                        1,
                        17,
                        "expected CASCADE, RESTRICT or the end of the statement, but found 'orders'"),
                refused("ALTER INDEX i", 1, 7, "expected TABLE, but found 'INDEX'"),
                refused("PARTITION TABLE item ON id", 1, 25, "expected COLUMN, but found 'id'"),
                refused(
                        "PARTITION PROCEDURE pay ON TABLE orders COLUMN w_id",
                        1,
                        21,
                        "PARTITION PROCEDURE is not supported; write the PARTITION clause into CREATE PROCEDURE"));
    }

    static Stream<Arguments> tables() {
        return Stream.of(
                refused("CREATE TABLE t a INT", 1, 16, "expected '(', but found 'a'"),
                refused("CREATE TABLE t ()", 1, 17, "expected the name of a column, but found ')'"),
                refused("CREATE TABLE t (PRIMARY KEY (a))", 1, 14, "table T has no columns"),
                refused("CREATE TABLE t (a INT,)", 1, 23, "expected the name of a column, but found ')'"),
                refused(
                        "CREATE TABLE t (a INT b INT)",
                        1,
                        23,
                        "expected NOT NULL, NULL, DEFAULT, PRIMARY KEY, UNIQUE, REFERENCES, CHECK, ',' or ')', but found 'b'"),
                refused(
                        "CREATE TABLE t (a INT DEFALT 1)",
                        1,
                        23,
                        "expected NOT NULL, NULL, DEFAULT, PRIMARY KEY, UNIQUE, REFERENCES, CHECK, ',' or ')', but found 'DEFALT'; did you"
                                + " mean DEFAULT?"),
                refused(
                        "CREATE TABLE t (a INT PRIMRY KEY)",
                        1,
                        23,
                        "expected NOT NULL, NULL, DEFAULT, PRIMARY KEY, UNIQUE, REFERENCES, CHECK, ',' or ')', but found 'PRIMRY'; did you"
                                + " mean PRIMARY?"),
                refused(
                        "CREATE TABLE t (a INT",
                        1,
                        22,
                        "expected NOT NULL, NULL, DEFAULT, PRIMARY KEY, UNIQUE, REFERENCES, CHECK, ',' or ')', but found the end of the"
                                + " statement"),
                refused(
                        "CREATE TABLE t (a INT) ENGINE=x",
                        1,
                        24,
                        "expected the end of the statement, but found 'ENGINE'"),
                refused(
                        "CREATE TABLE t (a INT) PARTITION ON a",
                        1,
                        24,
                        "partitioning is a statement of its own: PARTITION TABLE T ON COLUMN ..."),
                refused(
                        "CREATE TABLE t AS SELECT 1",
                        1,
                        16,
                        "CREATE TABLE AS is a statement of its own, and has a single query"),
                refused(
                        "CREATE TABLE order (a INT)",
                        1,
                        14,
                        "expected the name of the table, but 'order' is a reserved word; choose another name, or quote it:"
                                + " \"ORDER\""),
                refused("CREATE TABLE \"\" (a INT)", 1, 14, "the name of the table can't be empty"),
                refused(
                        "CREATE TABLE " + "t".repeat(129) + " (a INT)",
                        1,
                        14,
                        "the name of the table can't be longer than 128 characters, but this one has 129"),
                refused("CREATE TABLE 't' (a INT)", 1, 14, "expected the name of the table, but found 't'"),
                refused(
                        "CREATE TABLE item (a INT)",
                        1,
                        14,
                        "table ITEM exists already; DROP it first, or choose another name"),
                refused(
                        "CREATE TABLE t (a INT) WITH ID 1",
                        1,
                        14,
                        "table T can't have id 1: ids up to 3 are used already"),
                refused("CREATE TABLE t (a INT, b INT,\n A INT)", 2, 2, "table T has a column A already"),
                refused(
                        "CREATE TABLE t (a INT NULL NOT NULL)",
                        1,
                        28,
                        "column A can't be both NULL and NOT NULL (a primary key is NOT NULL)"),
                refused(
                        "CREATE TABLE t (a INT NULL PRIMARY KEY)",
                        1,
                        28,
                        "column A can't be both NULL and NOT NULL (a primary key is NOT NULL)"),
                refused("CREATE TABLE t (a INT NOT 5)", 1, 27, "expected NULL, but found '5'"),
                refused(
                        "CREATE TABLE t (a INT PRIMARY KEY, b INT PRIMARY KEY)",
                        1,
                        42,
                        "table T has a primary key already; for a key of several columns write PRIMARY KEY (a, b) after the"
                                + " columns"),
                refused("CREATE TABLE t (a INT, PRIMARY (a))", 1, 32, "expected KEY, but found '('"),
                refused("CREATE TABLE t (a INT, PRIMARY KEY (b))", 1, 37, "table T has no column B"),
                refused(
                        "CREATE TABLE t (amount INT, PRIMARY KEY (amuont))",
                        1,
                        42,
                        "table T has no column AMUONT; did you mean AMOUNT?"),
                refused("CREATE TABLE t (a INT, PRIMARY KEY (a, a))", 1, 40, "column A is in index T_PK twice"),
                refused(
                        "CREATE TABLE t (a INT, PRIMARY KEY (a) USING TREE)",
                        1,
                        46,
                        "unknown kind of index 'TREE'; use ORDERED"),
                refused(
                        "CREATE TABLE t (a INT, UNIQUE (a) USING ORDRED)",
                        1,
                        41,
                        "expected HASH or ORDERED, but found 'ORDRED'; did you mean ORDERED?"),
                refused(
                        "CREATE TABLE t (a INT, PRIMARY KEY (a) b)",
                        1,
                        40,
                        "expected USING, ',' or ')', but found 'b'"),
                refused(
                        "CREATE TABLE t (a INT, CONSTRAINT item_name UNIQUE (a))",
                        1,
                        35,
                        "there is an index ITEM_NAME already; choose another name for the constraint"),
                refused(
                        "CREATE TABLE t (a INT, CONSTRAINT c a)",
                        1,
                        37,
                        "expected PRIMARY KEY or UNIQUE, but found 'a'"),
                refused(
                        "CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES itm (id))",
                        1,
                        51,
                        "there is no table ITM; did you mean ITEM?"),
                refused(
                        "CREATE TABLE t (a NUMERIC(30,2), b VARBINARY(20) UNIQUE, FOREIGN KEY (a) REFERENCES t (b))",
                        1,
                        71,
                        "column A is DECIMAL(30,2), but column B of table T is VARBINARY(20)"),
                refused(
                        "CREATE TABLE t (a INT, FOREIGN KEY (b) REFERENCES item (id))",
                        1,
                        37,
                        "table T has no column B"),
                refused(
                        "CREATE TABLE t (a INT REFERENCES item (name) ON DELETE NOTHING)",
                        1,
                        56,
                        "expected CASCADE, RESTRICT, NO ACTION, SET NULL or SET DEFAULT, but found 'NOTHING'"),
                refused("CREATE TABLE t (a INT CHECK a > 0)", 1, 29, "expected '(', but found 'a'"),
                refused(
                        "CREATE TABLE t (a INT, CHECK (a > 0)",
                        1,
                        37,
                        "expected ',' or ')', but found the end of the statement"),
                refused(
                        "CREATE TABLE t (a INT AUTO_INCREMENT)",
                        1,
                        23,
                        "write SERIAL, BIGSERIAL, or GENERATED BY DEFAULT AS IDENTITY"),
                refused(
                        "CREATE TABLE t (a VARCHAR(5) COLLATE x)",
                        1,
                        30,
                        "COLLATE is not supported: strings are compared by their bytes"),
                refused(
                        "CREATE TABLE t (a INT, ASSUMEUNIQUE (a))",
                        1,
                        24,
                        "ASSUMEUNIQUE is not supported; use UNIQUE with the partitioning column, or an index"),
                refused(
                        "CREATE TABLE t (a INT, LIMIT PARTITION ROWS 5)",
                        1,
                        24,
                        "LIMIT PARTITION ROWS is not supported; delete old rows in a procedure"),
                refused(
                        table(1025),
                        1,
                        1 + table(1025).indexOf("C1025"),
                        "table T has more than 1024 columns, the most there can be"),
                refused(
                        table(33).replace(")", ", PRIMARY KEY (" + columns(33) + "))"),
                        1,
                        table(33).length()
                                + ", PRIMARY KEY (".length()
                                + columns(32).length()
                                + 2,
                        "an index can have at most 32 columns, but T_PK has 33"));
    }

    static Stream<Arguments> types() {
        return Stream.of(
                refused("CREATE TABLE t (a)", 1, 18, "expected a type, but found ')'"),
                refused("CREATE TABLE t (a INTEGR)", 1, 19, "unknown type 'INTEGR'; did you mean INTEGER?"),
                refused(
                        "CREATE TABLE t (a GEOGRAPHY)",
                        1,
                        19,
                        "unknown type 'GEOGRAPHY'; the types are BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL,"
                                + " DOUBLE, DECIMAL(p,s), VARCHAR(n), TEXT, VARBINARY(n), UUID, JSON, TIMESTAMP,"
                                + " TIMESTAMPTZ, DATE, TIME"),
                refused(
                        "CREATE TABLE t (a SERIAL GENERATED ALWAYS AS IDENTITY)",
                        1,
                        26,
                        "column A numbers itself already"),
                refused(
                        "CREATE TABLE t (a VARBINARY NOT NULL)",
                        1,
                        29,
                        "VARBINARY needs its greatest length in bytes: VARBINARY(n)"),
                refused(
                        "CREATE TABLE t (a VARCHAR(0))",
                        1,
                        27,
                        "a VARCHAR has 1 to 262143 characters, but this one has 0"),
                refused(
                        "CREATE TABLE t (a VARCHAR(262144))",
                        1,
                        27,
                        "a VARCHAR has 1 to 262143 characters, but this one has 262144"),
                refused(
                        "CREATE TABLE t (a VARBINARY(1048576))",
                        1,
                        29,
                        "a VARBINARY has 1 to 1048575 bytes, but this one has 1048576"),
                refused("CREATE TABLE t (a VARCHAR(x))", 1, 27, "expected the number of characters, but found 'x'"),
                refused(
                        "CREATE TABLE t (a VARCHAR(1.5))",
                        1,
                        27,
                        "expected the number of characters, a whole number of at most 2147483647, but found '1.5'"),
                refused(
                        "CREATE TABLE t (a VARCHAR(99999999999))",
                        1,
                        27,
                        "expected the number of characters, a whole number of at most 2147483647, but found"
                                + " '99999999999'"),
                refused(
                        "CREATE TABLE t (a VARCHAR(10 BYTES))",
                        1,
                        30,
                        "the length of a VARCHAR counts characters of up to 4 bytes each; leave BYTES out"),
                refused(
                        "CREATE TABLE t (a VARCHAR(10)",
                        1,
                        30,
                        "expected NOT NULL, NULL, DEFAULT, PRIMARY KEY, UNIQUE, REFERENCES, CHECK, ',' or ')', but found the end of the"
                                + " statement"),
                refused(
                        "CREATE TABLE t (a NUMERIC(20) NOT NULL); PARTITION TABLE t ON COLUMN a",
                        1,
                        70,
                        "table T can't be partitioned on column A, because it is a DECIMAL of more than 18 digits; use a"
                                + " column of fewer digits or of another type"),
                refused(
                        "CREATE TABLE t (a DECIMAL(39, 2))",
                        1,
                        27,
                        "a DECIMAL has 1 to 38 digits, but this one has 39"),
                refused("CREATE TABLE t (a DECIMAL(0))", 1, 27, "a DECIMAL has 1 to 38 digits, but this one has 0"),
                refused(
                        "CREATE TABLE t (a DECIMAL(5, 6))",
                        1,
                        30,
                        "a DECIMAL of 5 digits can't have 6 of them after the point"),
                refused("CREATE TABLE t (a DECIMAL(5, 2", 1, 31, "expected ')', but found the end of the statement"));
    }

    static Stream<Arguments> defaults() {
        return Stream.of(
                refused("CREATE TABLE t (a INT DEFAULT)", 1, 30, "expected a literal, but found ')'"),
                refused("CREATE TABLE t (a INT DEFAULT 1 DEFAULT 2)", 1, 33, "column A has a DEFAULT already"),
                refused(
                        "CREATE TABLE t (a INT DEFAULT foo)",
                        1,
                        31,
                        "expected a literal, NULL, TRUE, FALSE, CURRENT_TIMESTAMP or NOW, but found 'foo'"),
                refused("CREATE TABLE t (a INT DEFAULT - 'x')", 1, 33, "expected a number, but found 'x'"),
                refused(
                        "CREATE TABLE t (a DATE DEFAULT DATE 5)",
                        1,
                        37,
                        "expected a literal such as DATE '2025-12-31', but found '5'"),
                refused(
                        "CREATE TABLE t (a INT NOT NULL DEFAULT NULL)",
                        1,
                        40,
                        "column A is NOT NULL, so its default can't be NULL; leave DEFAULT out"),
                refused(
                        "CREATE TABLE t (a INT DEFAULT NULL, PRIMARY KEY (a))",
                        1,
                        31,
                        "column A is NOT NULL, so its default can't be NULL; leave DEFAULT out"),
                refused(
                        "CREATE TABLE t (a INT DEFAULT 'x')",
                        1,
                        31,
                        "the default of column A does not fit INTEGER: 'x' is not a number"),
                refused(
                        "CREATE TABLE t (a TINYINT DEFAULT 128)",
                        1,
                        35,
                        "the default of column A does not fit TINYINT: 128 is outside the range of TINYINT, -128 to 127"),
                refused(
                        "CREATE TABLE t (a INT DEFAULT 1.5)",
                        1,
                        31,
                        "the default of column A does not fit INTEGER: 1.5 is not a whole number"),
                refused(
                        "CREATE TABLE t (a BOOLEAN DEFAULT 1)",
                        1,
                        35,
                        "the default of column A does not fit BOOLEAN: 1 is neither TRUE nor FALSE"),
                refused(
                        "CREATE TABLE t (a DECIMAL(4, 2) DEFAULT 100)",
                        1,
                        41,
                        "the default of column A does not fit DECIMAL(4,2): 1E+2 has more than the 2 digits before the point"
                                + " of DECIMAL(4,2)"),
                refused(
                        "CREATE TABLE t (a DECIMAL(4, 2) DEFAULT 1.005)",
                        1,
                        41,
                        "the default of column A does not fit DECIMAL(4,2): 1.005 has more than the 2 digits after the point"
                                + " of DECIMAL(4,2)"),
                refused(
                        "CREATE TABLE t (a DOUBLE DEFAULT 1e999)",
                        1,
                        34,
                        "the default of column A does not fit DOUBLE: 1e999 is outside the range of DOUBLE"),
                refused(
                        "CREATE TABLE t (a VARCHAR(2) DEFAULT 'abc')",
                        1,
                        38,
                        "the default of column A does not fit VARCHAR(2): 'abc' has 3 characters, too many for VARCHAR(2)"),
                refused(
                        "CREATE TABLE t (a VARCHAR(2) DEFAULT 5)",
                        1,
                        38,
                        "the default of column A does not fit VARCHAR(2): 5 is not a string in quotes"),
                refused(
                        "CREATE TABLE t (a VARBINARY(1) DEFAULT x'0001')",
                        1,
                        40,
                        "the default of column A does not fit VARBINARY(1): x'0001' has 2 bytes, too many for"
                                + " VARBINARY(1)"),
                refused(
                        "CREATE TABLE t (a VARBINARY(5) DEFAULT x'0')",
                        1,
                        40,
                        "the default of column A does not fit VARBINARY(5): x'0' is not a binary literal: it needs an even"
                                + " number of digits from 0 to f"),
                refused(
                        "CREATE TABLE t (a VARBINARY(5) DEFAULT '00')",
                        1,
                        40,
                        "the default of column A does not fit VARBINARY(5): '00' is not a binary literal such as x'00ff'"),
                refused(
                        "CREATE TABLE t (a TIMESTAMP DEFAULT '2025-13-01 00:00:00')",
                        1,
                        37,
                        "the default of column A does not fit TIMESTAMP: '2025-13-01 00:00:00' is not a time that exists"),
                refused(
                        "CREATE TABLE t (a TIMESTAMP DEFAULT 'noon')",
                        1,
                        37,
                        "the default of column A does not fit TIMESTAMP: 'noon' is not a time such as '2025-12-31"
                                + " 23:59:59.123456'"),
                refused(
                        "CREATE TABLE t (a DATE DEFAULT '2025-02-29')",
                        1,
                        32,
                        "the default of column A does not fit DATE: '2025-02-29' is not a date that exists"),
                refused(
                        "CREATE TABLE t (a BIGINT, now TIMESTAMP)",
                        1,
                        27,
                        "expected the name of a column, but 'now' is a reserved word; choose another name, or quote it:"
                                + " \"NOW\""),
                refused(
                        "CREATE TABLE t (a DATE DEFAULT NOW)",
                        1,
                        32,
                        "the default of column A does not fit DATE: NOW is not a date such as '2025-12-31'"));
    }

    static Stream<Arguments> indexes() {
        return Stream.of(
                refused(
                        "CREATE INDEX ON item (id)",
                        1,
                        14,
                        "expected the name of the index, but 'ON' is a reserved word; choose another name, or quote it:"
                                + " \"ON\""),
                refused("CREATE INDEX i item (id)", 1, 16, "expected ON, but found 'item'"),
                refused("CREATE INDEX i ON itme (id)", 1, 19, "there is no table ITME; did you mean ITEM?"),
                refused("CREATE INDEX i ON item (nmae)", 1, 25, "table ITEM has no column NMAE; did you mean NAME?"),
                refused("CREATE INDEX i ON item ()", 1, 25, "expected the name of a column, but found ')'"),
                refused("CREATE INDEX i ON item (id", 1, 27, "expected ',' or ')', but found the end of the statement"),
                refused(
                        "CREATE INDEX i ON item (LOWER(name))",
                        1,
                        25,
                        "an index can have columns only, no expressions; add a column for the expression's value, which the"
                                + " procedures that write keep up to date, and index it"),
                refused(
                        "CREATE INDEX i ON item (id + 1)",
                        1,
                        28,
                        "an index can have columns only, no expressions; add a column for the expression's value, which the"
                                + " procedures that write keep up to date, and index it"),
                refused(
                        "CREATE INDEX i ON item (id DESC)",
                        1,
                        28,
                        "an index has no direction: an ordered one is read both ways; leave 'DESC' out"),
                refused(
                        "CREATE INDEX i ON item (id) WHERE id > 5",
                        1,
                        29,
                        "an index over a part of the rows is not supported; leave WHERE out"),
                refused(
                        "CREATE INDEX i ON item (id) USIGN HASH",
                        1,
                        29,
                        "expected USING or the end of the statement, but found 'USIGN'; did you mean USING?"),
                refused(
                        "CREATE INDEX item_name ON orders (id)",
                        1,
                        14,
                        "index ITEM_NAME exists already, on table ITEM; DROP it first, or choose another name"),
                refused(
                        "CREATE UNIQUE INDEX i ON orders (id, note)",
                        1,
                        21,
                        "unique index I (ID, NOTE) must contain W_ID, the column that table ORDERS is partitioned on: each"
                                + " partition sees its own rows only and could not keep the others' from having the same"
                                + " key; add W_ID to the index, or make it not unique"),
                refused(
                        manyIndexes(),
                        1,
                        manyIndexes().lastIndexOf("i64") + 1,
                        "table SINGLE has 63 indexes already, the most there can be"),
                refused("DROP INDEX item_nam", 1, 12, "there is no index ITEM_NAM; did you mean ITEM_NAME?"),
                refused(
                        "DROP INDEX orders_pk",
                        1,
                        12,
                        "index ORDERS_PK is the primary key of table ORDERS, which can't be dropped; create a table without"
                                + " it and move the rows"));
    }

    static Stream<Arguments> partitioning() {
        return Stream.of(
                refused(
                        "PARTITION TABLE orders ON COLUMN id",
                        1,
                        17,
                        "table ORDERS is partitioned on column W_ID already, which can't be changed; DROP TABLE and create"
                                + " it again"),
                refused("PARTITION TABLE nothing ON COLUMN id", 1, 17, "there is no table NOTHING"),
                refused("PARTITION TABLE item ON COLUMN idd", 1, 32, "table ITEM has no column IDD; did you mean ID?"),
                refused(
                        "PARTITION TABLE item ON COLUMN name",
                        1,
                        32,
                        "table ITEM can't be partitioned on column NAME, because it can be NULL; declare it NOT NULL in"
                                + " CREATE TABLE"),
                refused(
                        "PARTITION TABLE item ON COLUMN rate",
                        1,
                        32,
                        "table ITEM can't be partitioned on column RATE, because it is DOUBLE, whose rounded values are no"
                                + " reliable keys; use an integer, DECIMAL, string, TIMESTAMP, DATE or TIME column"),
                refused(
                        "PARTITION TABLE item ON COLUMN price",
                        1,
                        32,
                        "table ITEM can't be partitioned on column PRICE, because its primary key (ID) does not contain it:"
                                + " each partition sees its own rows only and could not keep the others' from having the"
                                + " same key; add PRICE to the key, or partition on ID"),
                refused(
                        "PARTITION TABLE item ON COLUMN id",
                        1,
                        32,
                        "table ITEM can't be partitioned on column ID, because unique index ITEM_NAME (NAME) does not"
                                + " contain it: each partition sees its own rows only and could not keep the others' from"
                                + " having the same key; add ID to the index, or partition on NAME"),
                refused(
                        "CREATE TABLE t (a INT, b INT, c INT NOT NULL, UNIQUE (a, b));"
                                + "PARTITION TABLE t ON COLUMN c",
                        1,
                        90,
                        "table T can't be partitioned on column C, because unique index T_A_B_UNIQUE (A, B) does not contain"
                                + " it: each partition sees its own rows only and could not keep the others' from having"
                                + " the same key; add C to the index, or partition on one of A, B"));
    }

    static Stream<Arguments> alterations() {
        return Stream.of(
                refused(
                        "ALTER TABLE item FROB",
                        1,
                        18,
                        "expected ADD, DROP, ALTER, RENAME or LOGGED AS, but found 'FROB'"),
                refused(
                        "ALTER TABLE item ADD PRIMARY KEY (id)",
                        1,
                        22,
                        "table ITEM has a primary key already, ITEM_PK"),
                refused(
                        "ALTER TABLE item ADD CONSTRAINT item_name UNIQUE (id)",
                        1,
                        33,
                        "there is an index ITEM_NAME already; choose another name for the constraint"),
                refused("ALTER TABLE single ADD PRIMARY KEY (id)", 1, 37, "table SINGLE has no column ID"),
                refused("ALTER TABLE single ADD UNIQUE only_column", 1, 31, "expected '(', but found 'only_column'"),
                refused(
                        "CREATE TABLE t (a INT) WITH (fillfactor=100",
                        1,
                        44,
                        "expected ')', but found the end of the statement"),
                refused("DROP TABLE single, ordres", 1, 20, "there is no table ORDRES; did you mean ORDERS?"),
                refused(
                        "ALTER TABLE item ALTER COLUMN name FROB",
                        1,
                        36,
                        "expected SET DEFAULT, DROP DEFAULT, SET NOT NULL, DROP NOT NULL or TYPE, but found 'FROB'"),
                refused(
                        "ALTER TABLE item ALTER COLUMN name TYPE INTEGER",
                        1,
                        31,
                        "column NAME is VARCHAR(20) and can't become INTEGER; ADD a column, copy the values with UPDATE,"
                                + " and DROP the old one"),
                refused(
                        "ALTER TABLE item ALTER COLUMN id DROP NOT NULL",
                        1,
                        31,
                        "column ID stays NOT NULL: it is in the primary key"),
                refused(
                        "ALTER TABLE item RENAME TO orders",
                        1,
                        28,
                        "there is a table or view ORDERS already; choose another name"),
                refused("ALTER TABLE item RENAME id TO name", 1, 31, "table ITEM has a column NAME already"),
                refused(
                        "ALTER TABLE item ADD CONSTRAINT c CHECK (id > 0) id",
                        1,
                        50,
                        "expected the end of the statement, but found 'id'"),
                refused(
                        "ALTER TABLE item ADD COLUMN x INT CHECK (x > 0)",
                        1,
                        35,
                        "a column can't be added with a check; add it, then ADD CHECK"),
                refused(
                        "ALTER TABLE item ADD FOREIGN KEY (id) REFERENCES orders",
                        1,
                        22,
                        "the foreign key has 1 columns and names 2 of table ORDERS"),
                refused(
                        "ALTER TABLE item ADD COLUMN x INT UNIQUE",
                        1,
                        35,
                        "a column can't be added as a key; add it, then CREATE UNIQUE INDEX on it"),
                refused(
                        "ALTER TABLE item ADD COLUMN x INT BEFORE name",
                        1,
                        35,
                        "a column is added as the last one; leave 'BEFORE' out"),
                refused(
                        "ALTER TABLE item ADD COLUMN x INT foo",
                        1,
                        35,
                        "expected NOT NULL, NULL, DEFAULT or the end of the statement, but found 'foo'"),
                refused("ALTER TABLE item ADD COLUMN name INT", 1, 29, "table ITEM has a column NAME already"),
                refused(
                        "ALTER TABLE item ADD x INT NOT NULL",
                        1,
                        22,
                        "column X is NOT NULL but has no DEFAULT, so the rows that are there would have no value; give a"
                                + " DEFAULT, or leave NOT NULL out"),
                refused(
                        "ALTER TABLE item ADD x INT NOT NULL DEFAULT NULL",
                        1,
                        45,
                        "column X is NOT NULL, so its default can't be NULL; leave DEFAULT out"),
                refused("ALTER TABLE itm ADD x INT", 1, 13, "there is no table ITM; did you mean ITEM?"),
                refused(
                        "ALTER TABLE item DROP CONSTRAINT item_pk",
                        1,
                        34,
                        "index ITEM_PK is the primary key of table ITEM, which can't be dropped; create a table without it"
                                + " and move the rows"),
                refused("ALTER TABLE item DROP CONSTRAINT itm_check", 1, 34, "table ITEM has no constraint ITM_CHECK"),
                refused(
                        "ALTER TABLE item DROP UNIQUE (id)",
                        1,
                        23,
                        "a constraint is dropped by its name: DROP CONSTRAINT and the name"),
                refused(
                        "ALTER TABLE item DROP COLUMN name CASCADE",
                        1,
                        35,
                        "CASCADE is not supported; DROP the indexes that contain NAME first"),
                refused("ALTER TABLE item DROP COLUMN nam", 1, 30, "table ITEM has no column NAM; did you mean NAME?"),
                refused(
                        "ALTER TABLE item DROP COLUMN name",
                        1,
                        30,
                        "column NAME of table ITEM can't be dropped: it is in index ITEM_NAME; DROP INDEX ITEM_NAME"
                                + " first"),
                refused(
                        "ALTER TABLE item DROP id",
                        1,
                        23,
                        "column ID of table ITEM can't be dropped: it is in the primary key"),
                refused(
                        "ALTER TABLE orders DROP w_id",
                        1,
                        25,
                        "column W_ID of table ORDERS can't be dropped: the table is partitioned on it"),
                refused(
                        "ALTER TABLE single DROP only_column",
                        1,
                        25,
                        "column ONLY_COLUMN of table SINGLE can't be dropped: it is the only one; DROP TABLE SINGLE"
                                + " instead"),
                refused("DROP TABLE ordres", 1, 12, "there is no table ORDRES; did you mean ORDERS?"),
                refused(
                        "DROP TABLE orders",
                        1,
                        12,
                        "table ORDERS can't be dropped: procedure PAY is partitioned on it; DROP PROCEDURE PAY first"));
    }

    static Stream<Arguments> procedures() {
        return Stream.of(
                refused(
                        "CREATE PROCEDURE p",
                        1,
                        19,
                        "expected FROM CLASS, AS or PARTITION ON, but found the end of the statement"),
                refused(
                        "CREATE PROCEDURE p (a INT) AS SELECT 1",
                        1,
                        20,
                        "a procedure's parameters are not declared here: they are those of its class's run method, or the ?"
                                + " of its statement"),
                refused("CREATE PROCEDURE p FROM com.example.P", 1, 25, "expected CLASS, but found 'com'"),
                refused(
                        "CREATE PROCEDURE p FROM CLASS 'P'",
                        1,
                        31,
                        "expected the full name of a class, such as com.example.Deposit, but found 'P'"),
                refused(
                        "CREATE PROCEDURE p FROM CLASS a. b",
                        1,
                        34,
                        "expected the full name of a class, such as com.example.Deposit, but found 'b'"),
                refused(
                        "CREATE PROCEDURE p FROM CLASS a.B c",
                        1,
                        35,
                        "expected PARTITION or the end of the statement, but found 'c'"),
                refused(
                        "CREATE PROCEDURE AS SELECT 1",
                        1,
                        18,
                        "a procedure made from a statement needs a name: CREATE PROCEDURE p AS"),
                refused("CREATE PROCEDURE p AS", 1, 22, "expected a statement, but found the end of the statement"),
                refused(
                        "CREATE PROCEDURE p AS BEGIN SELECT 1; END",
                        1,
                        39,
                        "BEGIN ... END is not supported: a procedure AS has a single statement; write a class for more than"
                                + " one"),
                refused(
                        "CREATE PROCEDURE p AS BEGIN SELECT 1",
                        1,
                        23,
                        "BEGIN ... END is not supported: a procedure AS has a single statement; write a class for more than"
                                + " one"),
                refused(
                        "CREATE PROCEDURE p AS DROP TABLE item",
                        1,
                        23,
                        "a procedure can run queries and INSERT, UPSERT, UPDATE, DELETE and TRUNCATE, but not DROP"),
                refused(
                        "CREATE PROCEDURE p AS FETCH 1",
                        1,
                        23,
                        "a statement can't begin with 'FETCH'; expected one of CREATE, DROP, ALTER, PARTITION, SELECT,"
                                + " VALUES, WITH, INSERT, UPSERT, UPDATE, DELETE, MERGE, TRUNCATE, EXPLAIN"),
                refused(
                        "CREATE PROCEDURE pay AS SELECT 1",
                        1,
                        18,
                        "procedure PAY exists already; CREATE OR REPLACE PROCEDURE replaces it"),
                refused(
                        "CREATE PROCEDURE FROM CLASS other.Pay",
                        1,
                        29,
                        "procedure PAY exists already; CREATE OR REPLACE PROCEDURE replaces it"),
                refused("CREATE OR REPLACE TABLE t (a INT)", 1, 19, "expected PROCEDURE, but found 'TABLE'"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON orders FROM CLASS a.B",
                        1,
                        33,
                        "expected TABLE, but found 'orders'"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE orders COLUMN w_id PARAMETER x FROM CLASS a.B",
                        1,
                        68,
                        "expected the number of a parameter, counted from 0, but found 'x'"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE orders COLUMN w_id PARAMETER 1024 FROM CLASS a.B",
                        1,
                        68,
                        "expected the number of a parameter, counted from 0, a whole number of at most 1023, but found"
                                + " '1024'"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE orders COLUMN w_id",
                        1,
                        57,
                        "expected FROM CLASS, AS or AND ON, but found the end of the statement"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE orders COLUMN w_id FROM CLASS a.B PARTITION ON TABLE orders"
                                + " COLUMN w_id",
                        1,
                        73,
                        "there is a PARTITION clause already; join the two with AND ON TABLE"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE item COLUMN id FROM CLASS a.B",
                        1,
                        39,
                        "table ITEM is not partitioned, so no procedure can be partitioned on it; PARTITION TABLE ITEM ON"
                                + " COLUMN ID first"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE orders COLUMN id FROM CLASS a.B",
                        1,
                        53,
                        "table ORDERS is partitioned on column W_ID, not on ID"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE order_line COLUMN id FROM CLASS a.B",
                        1,
                        39,
                        "there is no table ORDER_LINE"),
                refused(
                        "CREATE PROCEDURE p PARTITION ON TABLE orders COLUMN w_id AND ON TABLE orders COLUMN w_id"
                                + " FROM CLASS a.B",
                        1,
                        71,
                        "PARAMETER 0 is named for table ORDERS twice"),
                refused("DROP PROCEDURE pya", 1, 16, "there is no procedure PYA; did you mean PAY?"));
    }

    @ParameterizedTest
    @MethodSource({
        "lexical",
        "statements",
        "tables",
        "types",
        "defaults",
        "indexes",
        "partitioning",
        "alterations",
        "procedures"
    })
    void shouldRefuse(String script, int line, int column, String problem) {
        assertThatThrownBy(() -> CatalogScript.apply(CATALOG, script))
                .isInstanceOf(DdlException.class)
                .hasMessage("line " + line + ", column " + column + ": " + problem);
    }

    @Test
    void shouldCountLinesFromTheBeginningOfTheScript() {
        String script = "-- a comment\nDROP TABLE single;\n\n  /* another\n one */ DROP\n\tTABLE\n    nothing;";

        assertThatThrownBy(() -> CatalogScript.apply(CATALOG, script))
                .hasMessage("line 7, column 5: there is no table NOTHING");
    }

    @Test
    void shouldCountCharactersRatherThanCharsOfAString() {
        String script = "CREATE TABLE t (a VARCHAR(9) DEFAULT '\uD83D\uDE00', a INT)";

        assertThatThrownBy(() -> CatalogScript.apply(CATALOG, script))
                .hasMessage("line 1, column 43: table T has a column A already");
    }

    @Test
    void shouldLeaveTheCatalogAsItIsWhenAStatementIsRefused() {
        Catalog before = CATALOG.withCounters(CATALOG.version(), CATALOG.nextTableId());

        assertThatThrownBy(() -> CatalogScript.apply(CATALOG, "DROP TABLE single; DROP TABLE orders"))
                .isInstanceOf(DdlException.class);

        assertThat(CATALOG).isEqualTo(before);
        assertThat(CATALOG.table("SINGLE")).isPresent();
    }

    private static Arguments refused(String script, int line, int column, String problem) {
        return Arguments.of(script, line, column, problem);
    }

    private static String columns(int count) {
        return String.join(
                ", ", IntStream.rangeClosed(1, count).mapToObj(i -> "C" + i).toList());
    }

    private static String table(int count) {
        return "CREATE TABLE t (" + columns(count).replaceAll("(C\\d+)", "$1 INT") + ")";
    }

    private static String manyIndexes() {
        return String.join(
                "; ",
                IntStream.rangeClosed(1, 64)
                        .mapToObj(i -> "CREATE INDEX i" + i + " ON single (only_column)")
                        .toList());
    }
}
