package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Column;
import io.reprise.execution.work.ProcedureWork;
import io.reprise.execution.work.StatementCollector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The record of a schema makes the same schema again. */
final class SchemaRecordTest {
    private static final String TABLE =
            "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);"
                    + "PARTITION TABLE account ON COLUMN id;";

    private final ProcedureSources sources =
            new ProcedureSources(List.of(), List.of(SchemaRecordTest.class.getClassLoader()));

    private final StatementCollector statements = new StatementCollector();

    @Test
    void shouldReadWhatItWrote() {
        SchemaRecord record = new SchemaRecord(
                7,
                3,
                12,
                "CREATE TABLE t (a INTEGER);",
                List.of(new byte[] {1, 2}, new byte[0]),
                List.of(new TreeMap<>(Map.of("a.B", new byte[] {3}, "a.C", new byte[] {4, 5}))),
                List.of(new SchemaRecord.MadeProcedure("P", 11, 0), new SchemaRecord.MadeProcedure("Q", 9, -1)));

        SchemaRecord read = SchemaRecord.decode(record.encode());

        assertThat(HexFormat.of().formatHex(record.encode()))
                .isEqualTo("01" + "0000000000000007" + "00000003" + "0000000c"
                        + text("CREATE TABLE t (a INTEGER);")
                        + "00000002" + "000000020102" + "00000000"
                        + "00000001" + "00000002" + text("a.B") + "0000000103" + text("a.C") + "000000020405"
                        + "00000002" + text("P") + "0000000b" + "00000000" + text("Q") + "00000009" + "ffffffff");
        assertThat(read.encode()).isEqualTo(record.encode());
        assertThat(read.catalogVersion()).isEqualTo(7);
        assertThat(read.nextTableId()).isEqualTo(3);
        assertThat(read.nextProcedureVersion()).isEqualTo(12);
        assertThat(read.script()).isEqualTo(record.script());
        assertThat(read.jars()).hasSize(2);
        assertThat(read.classSets().getFirst()).containsOnlyKeys("a.B", "a.C");
        assertThat(read.procedures()).isEqualTo(record.procedures());
    }

    private static String text(String value) {
        return "%08x".formatted(value.length()) + HexFormat.of().formatHex(value.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldRefuseBytesThatAreNoSchema() {
        byte[] whole =
                new SchemaRecord(1, 2, 3, "CREATE TABLE t (a INTEGER);", List.of(), List.of(), List.of()).encode();

        assertThatThrownBy(() -> SchemaRecord.decode(new byte[] {9}))
                .hasMessage("the schema is written in format 9, and this version reads format 1");
        assertThatThrownBy(() -> SchemaRecord.decode(Arrays.copyOf(whole, whole.length + 1)))
                .hasMessage("the schema is followed by 1 unknown bytes");
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> SchemaRecord.decode(part)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldFailTypedOnAnyDamage() {
        byte[] whole = new SchemaRecord(
                        1,
                        2,
                        3,
                        "CREATE TABLE t (a INTEGER);",
                        List.of(new byte[9]),
                        List.of(new TreeMap<>(Map.of("a.B", new byte[] {3}))),
                        List.of(new SchemaRecord.MadeProcedure("P", 11, 0)))
                .encode();

        for (int at = 0; at < whole.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] damaged = whole.clone();
                damaged[at] ^= (byte) (1 << bit);
                assertThat(readsOrRefuses(damaged))
                        .as("bit %d of byte %d", bit, at)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldMakeTheSameSchemaAgainWhenTheClassPathIsGone() {
        Schema empty = Schema.empty();
        String script = TABLE + "CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS "
                + Bank.Balance.class.getName() + "; CREATE PROCEDURE Total AS SELECT SUM(balance) FROM account";
        SchemaChange first = SchemaChange.prepare(empty, script, sources.open(), statements);
        SchemaChange second = SchemaChange.prepare(
                first.after(), "ALTER TABLE account ADD COLUMN note VARCHAR(9)", sources.open(), statements);

        SchemaChange firstAgain = SchemaChange.again(empty, copy(first.record()), statements);
        SchemaChange secondAgain = SchemaChange.again(firstAgain.after(), copy(second.record()), statements);
        SchemaChange image = SchemaChange.again(empty, copy(second.after().image(List.of())), statements);

        for (Schema again : List.of(secondAgain.after(), image.after())) {
            assertThat(again.catalog()).isEqualTo(second.after().catalog());
            assertThat(again.nextVersion()).isEqualTo(5);
            assertThat(versions(again)).isEqualTo(versions(second.after()));
            assertThat(again.works().get("Balance")).isInstanceOf(ProcedureWork.class);
        }
        assertThat(versions(firstAgain.after())).isEqualTo(Map.of("Balance", 1, "TOTAL", 2));
        assertThat(versions(secondAgain.after())).isEqualTo(Map.of("Balance", 3, "TOTAL", 4));
    }

    /** A database was made by a version that had not reserved the word yet, and has to be opened all the same. */
    @Test
    void shouldMakeTablesAgainWhoseNamesHaveBecomeReserved() {
        String script = "CREATE TABLE t (now INTEGER NOT NULL, value BIGINT, PRIMARY KEY (now))";
        SchemaRecord record = new SchemaRecord(1, 2, 1, script, List.of(), List.of(), List.of());

        Schema again =
                SchemaChange.again(Schema.empty(), copy(record), statements).after();

        assertThat(again.catalog().table("T").orElseThrow().columns())
                .extracting(Column::name)
                .containsExactly("NOW", "VALUE");
        assertThatThrownBy(() -> SchemaChange.prepare(Schema.empty(), script, sources.open(), statements))
                .hasMessageContaining("is a reserved word");
    }

    private static boolean readsOrRefuses(byte[] damaged) {
        try {
            SchemaRecord.decode(damaged);
            return true;
        } catch (IllegalArgumentException refused) {
            return refused.getMessage().contains("the schema");
        }
    }

    private static SchemaRecord copy(SchemaRecord record) {
        return SchemaRecord.decode(record.encode());
    }

    private static Map<String, Integer> versions(Schema schema) {
        Map<String, Integer> versions = new TreeMap<>();
        schema.works().forEach((name, work) -> versions.put(name, work.version()));
        return versions;
    }
}
