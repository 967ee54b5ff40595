package io.reprise.sql.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogChange;
import io.reprise.catalog.CatalogEditor;
import io.reprise.catalog.CatalogUpdate;
import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.ProcedureDefinition.FromClass;
import io.reprise.catalog.ProcedureDefinition.FromStatement;
import io.reprise.catalog.Table;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The reported changes of each statement. */
final class CatalogChangeTest {
    private static final Catalog CATALOG = CatalogScript.load("""
            CREATE TABLE t (a INT NOT NULL, b INT, c INT DEFAULT 5, PRIMARY KEY (a));
            CREATE INDEX t_c ON t (c);
            CREATE INDEX t_ca ON t (c, a);
            CREATE PROCEDURE p AS SELECT * FROM t;
            """);
    private static final Table T = CATALOG.table("T").orElseThrow();

    @Test
    void shouldCreateAndDropTables() {
        CatalogUpdate created = apply(CATALOG, "CREATE TABLE u (x INT)");
        CatalogUpdate dropped = apply(created.catalog(), "DROP TABLE u");
        CatalogUpdate again = apply(dropped.catalog(), "CREATE TABLE u (x INT)");

        Table table = created.catalog().table("U").orElseThrow();
        assertThat(created.change()).isEqualTo(new CatalogChange.TableCreated(table));
        assertThat(dropped.change()).isEqualTo(new CatalogChange.TableDropped(table));
        assertThat(dropped.catalog().tables()).isEqualTo(CATALOG.tables());
        assertThat(again.catalog().table("U").orElseThrow().id()).isEqualTo(table.id() + 1);
    }

    @Test
    void shouldDropTablesThatNeedEachOther() {
        Catalog before = CatalogScript.load("""
                CREATE TABLE parent (a INT PRIMARY KEY);
                CREATE TABLE child (a INT REFERENCES parent (a));
                CREATE TABLE kept (a INT);
                """);
        CatalogUpdate update = apply(before, "DROP TABLE IF EXISTS parent, child, nowhere");

        assertThat(update.change().each())
                .containsExactly(
                        new CatalogChange.TableDropped(before.table("CHILD").orElseThrow()),
                        new CatalogChange.Nothing("there is no table NOWHERE"),
                        new CatalogChange.TableDropped(before.table("PARENT").orElseThrow()));
        assertThat(update.catalog().tables().keySet()).containsExactly("KEPT");
        assertThat(update.catalog().version()).isEqualTo(before.version() + 1);
    }

    @Test
    void shouldAddAPrimaryKeyInFrontOfOtherIndexes() {
        Catalog before = CatalogScript.load("CREATE TABLE u (a INT, b INT); CREATE INDEX u_b ON u (b)");
        CatalogUpdate update = apply(before, "ALTER TABLE ONLY u ADD CONSTRAINT k PRIMARY KEY (b, a)");

        Table after = update.catalog().table("U").orElseThrow();
        assertThat(update.change())
                .isEqualTo(new CatalogChange.PrimaryKeyAdded(before.table("U").orElseThrow(), after));
        assertThat(after.indexes())
                .containsExactly(
                        new Index("K", 0, List.of(1, 0), true, Index.Kind.ORDERED, true),
                        new Index("U_B", 1, List.of(1), false, Index.Kind.ORDERED, false));
        assertThat(after.columns()).noneMatch(Column::nullable);
    }

    @Test
    void shouldAddAUniqueKey() {
        CatalogUpdate update = apply(CATALOG, "ALTER TABLE t ADD UNIQUE (b)");

        Table after = update.catalog().table("T").orElseThrow();
        assertThat(update.change())
                .isEqualTo(new CatalogChange.IndexAdded(
                        T, after, new Index("T_B_UNIQUE", 3, List.of(1), true, Index.Kind.HASH, false)));
        assertThat(after.columns()).isEqualTo(T.columns());
    }

    @Test
    void shouldPartitionATable() {
        CatalogUpdate update = apply(CATALOG, "PARTITION TABLE t ON COLUMN a");

        Table after = update.catalog().table("T").orElseThrow();
        assertThat(update.change()).isEqualTo(new CatalogChange.TablePartitioned(T, after));
        assertThat(after.partitionColumn()).isEqualTo(OptionalInt.of(0));
    }

    @Test
    void shouldAddAColumnAsTheLastOne() {
        CatalogUpdate update = apply(CATALOG, "ALTER TABLE t ADD COLUMN d VARCHAR(5) DEFAULT 'x' NOT NULL");

        Table after = update.catalog().table("T").orElseThrow();
        assertThat(update.change()).isEqualTo(new CatalogChange.TableAltered(T, after, List.of(0, 1, 2, -1)));
        assertThat(after.columns().getLast().defaultValue()).hasValue("'x'");
        assertThat(after.columns().getLast().nullable()).isFalse();
    }

    @Test
    void shouldMoveColumnsAndKeysWhenAColumnIsDropped() {
        Catalog partitioned = apply(CATALOG, "ALTER TABLE t ADD d INT").catalog();
        CatalogUpdate update = apply(partitioned, "ALTER TABLE t DROP COLUMN b");

        Table after = update.catalog().table("T").orElseThrow();
        assertThat(update.change())
                .isEqualTo(
                        new CatalogChange.TableAltered(partitioned.table("T").orElseThrow(), after, List.of(0, 2, 3)));
        assertThat(after.indexes().stream().map(Index::columns)).containsExactly(List.of(0), List.of(1), List.of(1, 0));
    }

    @Test
    void shouldAddAndDropIndexes() {
        CatalogUpdate added = apply(CATALOG, "CREATE UNIQUE INDEX t_b ON t (b) USING HASH");
        CatalogUpdate dropped = apply(added.catalog(), "DROP INDEX t_c");

        Table afterAdded = added.catalog().table("T").orElseThrow();
        Index index = new Index("T_B", 3, List.of(1), true, Index.Kind.HASH, false);
        assertThat(added.change()).isEqualTo(new CatalogChange.IndexAdded(T, afterAdded, index));
        Table afterDropped = dropped.catalog().table("T").orElseThrow();
        assertThat(dropped.change())
                .isEqualTo(new CatalogChange.IndexDropped(
                        afterAdded, afterDropped, T.indexes().get(1)));
        assertThat(afterDropped.indexes().stream().map(Index::name)).containsExactly("T_PK", "T_CA", "T_B");
        assertThat(afterDropped.indexes().stream().map(Index::position)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldAddReplaceAndDropProcedures() {
        CatalogUpdate added = apply(CATALOG, "CREATE PROCEDURE FROM CLASS a.b.Deposit");
        CatalogUpdate replaced = apply(added.catalog(), "CREATE OR REPLACE PROCEDURE deposit AS DELETE FROM t");
        CatalogUpdate dropped = apply(replaced.catalog(), "DROP PROCEDURE DEPOSIT");

        ProcedureDefinition first = new ProcedureDefinition("Deposit", new FromClass("a.b.Deposit"), List.of());
        ProcedureDefinition second = new ProcedureDefinition("Deposit", new FromStatement("DELETE FROM t"), List.of());
        assertThat(added.change()).isEqualTo(new CatalogChange.ProcedureAdded(first));
        assertThat(replaced.change()).isEqualTo(new CatalogChange.ProcedureReplaced(first, second));
        assertThat(dropped.change()).isEqualTo(new CatalogChange.ProcedureDropped(second));
        assertThat(dropped.catalog().procedures()).isEqualTo(CATALOG.procedures());
        assertThat(added.catalog().procedure("DEPOSIT")).hasValue(first);
    }

    @Test
    void shouldSayWhyNothingChanged() {
        assertNothing("CREATE TABLE IF NOT EXISTS t (z DATE)", "table T exists already");
        assertNothing("CREATE INDEX IF NOT EXISTS t_c ON t (b)", "index T_C exists already");
        assertNothing("DROP TABLE IF EXISTS u", "there is no table U");
        assertNothing("DROP INDEX IF EXISTS u", "there is no index U");
        assertNothing("DROP PROCEDURE IF EXISTS u", "there is no procedure U");
    }

    private static void assertNothing(String statement, String reason) {
        CatalogUpdate update = apply(CATALOG, statement);

        assertThat(update.change()).isEqualTo(new CatalogChange.Nothing(reason));
        assertThat(update.catalog()).isSameAs(CATALOG);
    }

    private static CatalogUpdate apply(Catalog catalog, String statement) {
        return CatalogEditor.apply(catalog, DdlParser.parse(statement));
    }
}
