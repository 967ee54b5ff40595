package io.reprise.sql.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.ProcedureDefinition.FromClass;
import io.reprise.catalog.ProcedureDefinition.FromStatement;
import io.reprise.catalog.ProcedureDefinition.Routing;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class CatalogScriptTest {
    private static final String SCRIPT = """
            -- every construct once
            CREATE TABLE customer (
                w_id SMALLINT NOT NULL,
                id INTEGER NOT NULL,
                name VARCHAR(16) DEFAULT 'O''Neil; --',
                balance DECIMAL(12, 2) DEFAULT -10 NOT NULL,
                since TIMESTAMP DEFAULT NOW,
                born DATE DEFAULT '1970-01-02',
                vip BOOLEAN DEFAULT TRUE,
                score DOUBLE PRECISION DEFAULT 1e3,
                level TINYINT,
                total BIGINT NULL,
                loose NUMERIC,
                "Photo;" VARBINARY(100) DEFAULT x'00FF',
                PRIMARY KEY (w_id, id),
                CONSTRAINT by_name UNIQUE (name, w_id) USING ORDERED
            );
            PARTITION TABLE customer ON COLUMN w_id; /* a comment; with a semicolon */
            CREATE INDEX customer_since ON customer (since, id);
            CREATE UNIQUE INDEX IF NOT EXISTS customer_level ON customer (level, w_id) USING HASH;
            CREATE TABLE item (i_id INT PRIMARY KEY, code CHAR(4) UNIQUE);
            CREATE PROCEDURE FROM CLASS com.example.Bank$Deposit;
            CREATE PROCEDURE pay PARTITION ON TABLE customer COLUMN w_id PARAMETER 1
                AND ON TABLE customer COLUMN w_id PARAMETER 3 FROM CLASS com.example.Pay;
            CREATE PROCEDURE late FROM CLASS com.example.Late PARTITION ON TABLE customer COLUMN w_id;
            CREATE PROCEDURE find PARTITION ON TABLE customer COLUMN w_id
                AS SELECT * FROM customer WHERE w_id = ? AND name = ';';
            """;

    @Test
    void shouldBuildTheCatalogThatAScriptDescribes() {
        Catalog catalog = CatalogScript.load(SCRIPT);

        Table customer = catalog.table("CUSTOMER").orElseThrow();
        assertThat(customer.id()).isEqualTo(1);
        assertThat(customer.partitionColumn()).isEqualTo(OptionalInt.of(0));
        assertThat(customer.columns())
                .containsExactly(
                        new Column("W_ID", 0, SqlType.of(SqlType.Kind.SMALLINT), false, Optional.empty()),
                        new Column("ID", 1, SqlType.of(SqlType.Kind.INTEGER), false, Optional.empty()),
                        new Column("NAME", 2, SqlType.varchar(16), true, Optional.of("'O''Neil; --'")),
                        new Column("BALANCE", 3, SqlType.decimal(12, 2), false, Optional.of("-10.00")),
                        new Column(
                                "SINCE", 4, SqlType.of(SqlType.Kind.TIMESTAMP), true, Optional.of("CURRENT_TIMESTAMP")),
                        new Column("BORN", 5, SqlType.of(SqlType.Kind.DATE), true, Optional.of("'1970-01-02'")),
                        new Column("VIP", 6, SqlType.of(SqlType.Kind.BOOLEAN), true, Optional.of("TRUE")),
                        new Column("SCORE", 7, SqlType.of(SqlType.Kind.DOUBLE), true, Optional.of("1000.0")),
                        new Column("LEVEL", 8, SqlType.of(SqlType.Kind.TINYINT), true, Optional.empty()),
                        new Column("TOTAL", 9, SqlType.of(SqlType.Kind.BIGINT), true, Optional.empty()),
                        new Column("LOOSE", 10, SqlType.decimal(18, 6), true, Optional.empty()),
                        new Column("Photo;", 11, SqlType.varbinary(100), true, Optional.of("x'00ff'")));
        assertThat(customer.indexes())
                .containsExactly(
                        new Index("CUSTOMER_PK", 0, List.of(0, 1), true, Index.Kind.ORDERED, true),
                        new Index("BY_NAME", 1, List.of(2, 0), true, Index.Kind.ORDERED, false),
                        new Index("CUSTOMER_SINCE", 2, List.of(4, 1), false, Index.Kind.ORDERED, false),
                        new Index("CUSTOMER_LEVEL", 3, List.of(8, 0), true, Index.Kind.HASH, false));
        Table item = catalog.table("ITEM").orElseThrow();
        assertThat(item.replicated()).isTrue();
        assertThat(item.columns())
                .containsExactly(
                        new Column("I_ID", 0, SqlType.of(SqlType.Kind.INTEGER), false, Optional.empty()),
                        new Column("CODE", 1, SqlType.varchar(4), true, Optional.empty()));
        assertThat(item.indexes())
                .containsExactly(
                        new Index("ITEM_PK", 0, List.of(0), true, Index.Kind.HASH, true),
                        new Index("ITEM_CODE_UNIQUE", 1, List.of(1), true, Index.Kind.HASH, false));
        assertThat(catalog.procedures().sequencedValues())
                .containsExactly(
                        new ProcedureDefinition("Deposit", new FromClass("com.example.Bank$Deposit"), List.of()),
                        new ProcedureDefinition(
                                "PAY",
                                new FromClass("com.example.Pay"),
                                List.of(new Routing("CUSTOMER", "W_ID", 1), new Routing("CUSTOMER", "W_ID", 3))),
                        new ProcedureDefinition(
                                "LATE", new FromClass("com.example.Late"), List.of(new Routing("CUSTOMER", "W_ID", 0))),
                        new ProcedureDefinition(
                                "FIND",
                                new FromStatement("SELECT * FROM customer WHERE w_id = ? AND name = ';'"),
                                List.of(new Routing("CUSTOMER", "W_ID", 0))));
    }

    @Test
    void shouldPrintACatalogAsTheDdlThatMakesItAgain() {
        Catalog catalog = CatalogScript.load(SCRIPT + "DROP TABLE item; CREATE TABLE \"a\"\"b\" (\"select\" INT);");

        Catalog again = CatalogScript.load(CatalogPrinter.print(catalog))
                .withCounters(catalog.version(), catalog.nextTableId());

        assertThat(again).isEqualTo(catalog);
        assertThat(again.tables().keySet()).containsExactly("CUSTOMER", "a\"b");
        assertThat(again.table("a\"b").orElseThrow().id()).isEqualTo(3);
    }
}
