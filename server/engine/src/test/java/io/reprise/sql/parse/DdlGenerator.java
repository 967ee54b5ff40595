package io.reprise.sql.parse;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Index;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes random DDL statements that suit a catalog more often than not. */
final class DdlGenerator {
    private static final String[] NAMES = {
        "a",
        "b",
        "Amount",
        "\"select\"",
        "\"a b\"",
        "\"q\"\"q\"",
        "c1",
        "id",
        "w_id",
        "_x",
        "\u00e9t\u00e9",
        "\"Lower\"",
        "d$",
        "note",
        "price"
    };
    private static final String[] TYPES = {
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INT",
        "INTEGER",
        "BIGINT",
        "DOUBLE",
        "FLOAT",
        "DECIMAL",
        "NUMERIC(9)",
        "DECIMAL(12, 2)",
        "VARCHAR(20)",
        "CHAR(3)",
        "VARBINARY(8)",
        "TIMESTAMP",
        "TIME",
        "INTEGER[]",
        "VARCHAR(5)[]",
        "NUMERIC(9,2) ARRAY",
        "NUMERIC(38,6)",
        "DECIMAL(19)",
        "DATE"
    };
    private static final String[] LITERALS = {
        "TRUE",
        "FALSE",
        "1",
        "-7",
        "+12",
        "0.5",
        "1e2",
        "'a'",
        "'{1,NULL}'",
        "'it''s; --'",
        "x'0aFF'",
        "NOW",
        "CURRENT_TIMESTAMP",
        "NULL",
        "'2025-01-31'",
        "'2025-01-31 23:59:59.5'",
        "DATE '1969-01-01'",
        "(1 + 2)",
        "UPPER('a') || ','",
        "''"
    };
    private static final String[] STATEMENTS = {
        "SELECT * FROM t WHERE a = ? AND b = ';' /* x */",
        "DELETE FROM \"a b\"",
        "INSERT INTO t VALUES (?, 'it''s')",
        "(VALUES 1)",
        "UPDATE t SET a = a + 1\n  WHERE \u00e9t\u00e9 > ?"
    };

    private final Random random;

    DdlGenerator(Random random) {
        this.random = random;
    }

    String next(Catalog catalog) {
        return switch (random.nextInt(27)) {
            case 0, 1, 2, 3 -> createTable(catalog);
            case 4, 5 -> "PARTITION TABLE " + table(catalog) + " ON COLUMN " + column(catalog);
            case 6, 7, 8 -> createIndex(catalog);
            case 9 ->
                "DROP TABLE " + optional("IF EXISTS ") + table(catalog) + optional(", " + table(catalog))
                        + optional(" CASCADE");
            case 10 -> "DROP INDEX " + optional("IF EXISTS ") + index(catalog);
            case 11 -> "ALTER TABLE " + table(catalog) + " ADD " + optional("COLUMN ") + name() + " " + columnType();
            case 12 -> "ALTER TABLE " + table(catalog) + " DROP " + optional("COLUMN ") + column(catalog);
            case 13, 14, 22 -> createProcedure(catalog);
            case 15 ->
                "CREATE " + optional("OR REPLACE ") + "VIEW " + newName(catalog) + " AS SELECT * FROM "
                        + (random.nextInt(3) == 0 ? name() : table(catalog));
            case 16 -> "DROP VIEW " + optional("IF EXISTS ") + name() + optional(" CASCADE");
            case 17 ->
                "ALTER TABLE " + table(catalog) + " ADD " + constraint() + "FOREIGN KEY (" + column(catalog)
                        + ") REFERENCES " + table(catalog) + " (" + column(catalog) + ")"
                        + optional(" ON DELETE CASCADE");
            case 18 -> "ALTER TABLE " + table(catalog) + " ADD " + constraint() + check(column(catalog));
            case 19 -> dropConstraint(catalog);
            case 23 ->
                "ALTER TABLE " + optional("ONLY ") + table(catalog) + " ADD " + constraint()
                        + (random.nextBoolean() ? "PRIMARY KEY (" : "UNIQUE (") + column(catalog) + ")"
                        + optional(" USING ORDERED");
            case 20 ->
                "CREATE SEQUENCE " + optional("IF NOT EXISTS ") + newName(catalog) + optional(" INCREMENT BY -3")
                        + optional(" CACHE 5") + optional(" CYCLE") + optional(" OWNED BY " + name() + ".a");
            case 21 ->
                random.nextInt(5) > 0
                        ? "ALTER SEQUENCE " + sequence(catalog) + " RESTART" + optional(" WITH -7")
                                + optional(" OWNED BY NONE")
                        : "DROP SEQUENCE " + optional("IF EXISTS ") + sequence(catalog) + optional(" CASCADE");
            case 25 -> "CREATE SCHEMA " + optional("IF NOT EXISTS ") + name();
            case 26 -> "DROP SCHEMA " + optional("IF EXISTS ") + name() + optional(" CASCADE");
            default -> "DROP PROCEDURE " + optional("IF EXISTS ") + procedure(catalog);
        };
    }

    private static String check(String column) {
        return "CHECK (" + column + " IS NULL OR (" + column + ") <> 'it''s')";
    }

    private String sequence(Catalog catalog) {
        List<String> names = catalog.tables().values().stream()
                .filter(table -> table.sequence().isPresent())
                .map(Table::name)
                .toList();
        return names.isEmpty() ? name() : QualifiedName.quoted(names.get(random.nextInt(names.size())));
    }

    private String dropConstraint(Catalog catalog) {
        for (Table table : catalog.tables().values()) {
            List<String> names = new ArrayList<>();
            table.checks().forEach(check -> names.add(check.name()));
            table.foreignKeys().forEach(key -> names.add(key.name()));
            if (!names.isEmpty()) {
                return "ALTER TABLE " + QualifiedName.quoted(table.name()) + " DROP CONSTRAINT "
                        + optional("IF EXISTS ") + quote(names.get(random.nextInt(names.size())));
            }
        }
        return "ALTER TABLE " + table(catalog) + " DROP CONSTRAINT " + name();
    }

    private String createTable(Catalog catalog) {
        List<String> elements = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            String name = name();
            if (!columns.contains(name)) {
                columns.add(name);
                elements.add(name + " " + columnType() + (random.nextInt(20) == 0 ? " PRIMARY KEY" : "")
                        + (random.nextInt(20) == 0 ? " UNIQUE" : ""));
            }
        }
        if (random.nextBoolean()) {
            elements.add(constraint() + "PRIMARY KEY " + key(columns));
        }
        if (random.nextInt(3) == 0) {
            elements.add(constraint() + "UNIQUE " + key(columns));
        }
        if (random.nextInt(3) == 0) {
            elements.add(constraint() + check(columns.get(random.nextInt(columns.size()))));
        }
        return "CREATE TABLE " + optional("IF NOT EXISTS ") + newName(catalog) + " (" + String.join(", ", elements)
                + ")";
    }

    private String columnType() {
        if (random.nextInt(12) == 0) {
            return pick(new String[] {"SERIAL", "BIGSERIAL", "INT GENERATED ALWAYS AS IDENTITY (MINVALUE -5)"});
        }
        return pick(TYPES)
                + (random.nextInt(4) == 0 ? " DEFAULT " + pick(LITERALS) : "")
                + switch (random.nextInt(4)) {
                    case 0 -> " NOT NULL";
                    case 1 -> " NULL";
                    default -> "";
                };
    }

    private String constraint() {
        return random.nextInt(3) == 0 ? "CONSTRAINT " + name() + " " : "";
    }

    private String key(List<String> columns) {
        List<String> key = new ArrayList<>();
        do {
            key.add(columns.get(random.nextInt(columns.size())));
        } while (random.nextInt(3) == 0);
        return "(" + String.join(", ", key) + ")" + kind();
    }

    private String kind() {
        return switch (random.nextInt(4)) {
            case 0 -> " USING HASH";
            case 1 -> " USING ORDERED";
            default -> "";
        };
    }

    private String createIndex(Catalog catalog) {
        return "CREATE " + optional("UNIQUE ") + "INDEX " + optional("IF NOT EXISTS ") + name() + " ON "
                + table(catalog) + " (" + column(catalog) + (random.nextBoolean() ? ", " + column(catalog) : "") + ")"
                + kind();
    }

    private String createProcedure(Catalog catalog) {
        String partition = random.nextBoolean()
                ? " PARTITION ON TABLE " + table(catalog) + " COLUMN " + column(catalog) + " PARAMETER "
                        + random.nextInt(3)
                        + (random.nextBoolean() ? " AND ON TABLE " + table(catalog) + " COLUMN " + column(catalog) : "")
                : "";
        String source =
                random.nextBoolean() ? " FROM CLASS com.example.P" + random.nextInt(5) : " AS " + pick(STATEMENTS);
        boolean after = random.nextBoolean();
        return "CREATE " + optional("OR REPLACE ") + "PROCEDURE " + (random.nextInt(5) == 0 ? "" : name())
                + (after ? source + partition : partition + source);
    }

    private String table(Catalog catalog) {
        List<String> names = List.copyOf(catalog.tables().keySet());
        return names.isEmpty() || random.nextInt(10) == 0
                ? name()
                : QualifiedName.quoted(names.get(random.nextInt(names.size())));
    }

    private String column(Catalog catalog) {
        List<Table> tables = List.copyOf(catalog.tables().values());
        if (tables.isEmpty() || random.nextInt(10) == 0) {
            return name();
        }
        Table table = tables.get(random.nextInt(tables.size()));
        return quote(table.columns().get(random.nextInt(table.columns().size())).name());
    }

    private String index(Catalog catalog) {
        List<String> names = catalog.tables().values().stream()
                .flatMap(t -> t.indexes().stream())
                .map(Index::name)
                .toList();
        return names.isEmpty() ? name() : QualifiedName.quoted(names.get(random.nextInt(names.size())));
    }

    private String procedure(Catalog catalog) {
        List<String> names = List.copyOf(catalog.procedures().keySet());
        return names.isEmpty() ? name() : quote(names.get(random.nextInt(names.size())));
    }

    /** A name for a table or view, perhaps in a schema. */
    private String newName(Catalog catalog) {
        List<String> schemas = List.copyOf(catalog.schemas());
        return schemas.isEmpty() || random.nextInt(3) > 0
                ? name()
                : quote(schemas.get(random.nextInt(schemas.size()))) + "." + name();
    }

    private String name() {
        return pick(NAMES);
    }

    private String optional(String text) {
        return random.nextBoolean() ? text : "";
    }

    private String pick(String[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
