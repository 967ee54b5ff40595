package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import java.util.ArrayList;
import java.util.List;

/**
 * The schema of a {@link SweepScenario}, and how it changes, in this order: tables, columns, indexes and procedures come and go,
 * and jars replace each other.
 */
final class SweepSchema {
    static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, owner VARCHAR(80));
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE rate (name VARCHAR(20) NOT NULL PRIMARY KEY, pct INTEGER NOT NULL);
            CREATE PROCEDURE Put AS UPSERT INTO account (id, balance, owner) VALUES (?, ?, ?);
            CREATE PROCEDURE Remove AS DELETE FROM account WHERE id = ?;
            CREATE PROCEDURE Raise AS UPDATE account SET balance = balance + ?;
            CREATE PROCEDURE SetRate AS UPSERT INTO rate (name, pct) VALUES (?, ?);
            CREATE PROCEDURE Transfer PARTITION ON TABLE account COLUMN id PARAMETER 0
              AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.engine.Bank$Transfer;
            """;

    static final int MAKE_EVENTS = 0;
    static final int ADD_NOTE = 1;
    static final int DEPLOY_TAG = 3;
    static final int DROP_EVENTS = 4;
    static final int REPLACE_TAG = 5;
    static final int MAKE_EVENTS_AGAIN = 6;
    static final int DROP_NOTE = 7;

    private static final int NO_JAR = -1;

    private static final List<Change> CHANGES = List.of(
            new Change(NO_JAR, """
                    CREATE TABLE event (id BIGINT NOT NULL, n INTEGER NOT NULL, what VARCHAR(60));
                    PARTITION TABLE event ON COLUMN id;
                    CREATE PROCEDURE AddEvent AS INSERT INTO event (id, n, what) VALUES (?, ?, ?);
                    """),
            new Change(NO_JAR, """
                    ALTER TABLE account ADD COLUMN note VARCHAR(40) DEFAULT 'x';
                    CREATE PROCEDURE Note AS UPDATE account SET note = ? WHERE id = ?;
                    """),
            new Change(NO_JAR, "CREATE INDEX by_owner ON account (owner, balance)"),
            new Change(0, "CREATE PROCEDURE Tag PARTITION ON TABLE account COLUMN id FROM CLASS Tag"),
            new Change(NO_JAR, "DROP PROCEDURE AddEvent; DROP TABLE event"),
            new Change(1, ""),
            new Change(NO_JAR, """
                    DROP INDEX by_owner;
                    CREATE TABLE event (id BIGINT NOT NULL, n INTEGER NOT NULL, what VARCHAR(60),
                      more VARCHAR(10) DEFAULT 'more');
                    PARTITION TABLE event ON COLUMN id;
                    CREATE PROCEDURE AddEvent AS INSERT INTO event (id, n, what) VALUES (?, ?, ?);
                    """),
            new Change(NO_JAR, "DROP PROCEDURE Note; ALTER TABLE account DROP COLUMN note"));

    private static final List<String> CATALOGS = new ArrayList<>();

    private SweepSchema() {}

    private record Change(int jar, String script) {
        void make(Reprise engine) {
            if (jar == NO_JAR) {
                engine.ddl(script);
            } else {
                engine.deploy(Medley.jar(jar), script);
            }
        }
    }

    /** The number of changes. */
    static int changes() {
        return CHANGES.size();
    }

    /** Makes a change. */
    static void change(Reprise engine, int number) {
        CHANGES.get(number).make(engine);
    }

    /** The catalog of an engine whose schema was changed so often, as one in memory has it. */
    static synchronized String catalogAfter(int changes) {
        if (CATALOGS.isEmpty()) {
            Options options = Options.create()
                    .threads(Options.Threads.CALLER)
                    .memoryPerPartition(16 << 20)
                    .ddl(DDL);
            try (Reprise engine = options.open()) {
                CATALOGS.add(text(engine.catalog()));
                for (Change change : CHANGES) {
                    change.make(engine);
                    CATALOGS.add(text(engine.catalog()));
                }
            }
        }
        return CATALOGS.get(changes);
    }

    /** All of a catalog. */
    static String text(Catalog catalog) {
        return CatalogPrinter.print(catalog) + "version " + catalog.version() + ", next table " + catalog.nextTableId();
    }
}
