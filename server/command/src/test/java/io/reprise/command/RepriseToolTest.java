package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Bank;
import io.reprise.engine.Durability;
import io.reprise.engine.LogWitness;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.engine.Restore;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of the command line about data directories, good and bad; it changes nothing in them. */
final class RepriseToolTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    static Path made;

    @TempDir
    Path folder;

    @Test
    void shouldSayThatAllIsGoodWhenNothingIsDamaged() throws IOException {
        use(LoggingMethod.COMMAND);
        Map<String, Long> before = files();

        int code = run("verify", data());

        assertThat(code).as(printed()).isZero();
        assertThat(printed()).contains("Snapshot ", ": good, 101 rows", "Log of database ", "All is good.");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldSayOfWhichTimeACopyIs() throws IOException {
        use(LoggingMethod.COMMAND);
        String time = " of 20[0-9-]+T[0-9:]+Z";

        assertThat(run("backup", data(), folder.resolve("copy").toString()))
                .as(printed())
                .isZero();
        assertThat(printed())
                .containsPattern("Snapshot [0-9a-f]{16}" + time + ", 101 rows, is in ")
                .contains("nothing that was committed later");

        assertThat(run(
                        "export",
                        data(),
                        "--table",
                        "ACCOUNT",
                        "--out",
                        folder.resolve("t.csv").toString()))
                .as(printed())
                .isZero();
        assertThat(printed()).containsPattern("rows written to .*, as they were in snapshot [0-9a-f]{16}" + time);
    }

    @Test
    void shouldSayThatAFolderHasNoSnapshotWhenItIsToBeRestored() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        int code = run("restore", empty.toString(), folder.resolve("new").toString());

        assertThat(code).isEqualTo(RepriseTool.FAILED);
        assertThat(printed()).contains("the folder has no snapshot. Name the folder of a backup");
    }

    @Test
    void shouldSayWhichFileIsDamagedWhenALogFrameIs() throws IOException {
        use(LoggingMethod.COMMAND);
        flip(folder.resolve("data/log/0000000000000000.log"), 600);

        int code = run("verify", data());

        assertThat(code).isEqualTo(RepriseTool.DAMAGED);
        assertThat(printed()).contains("Log: DAMAGED", "log/0000000000000000.log at offset 512", ": good, 101 rows");
    }

    @Test
    void shouldSayWhichSnapshotIsDamagedWhenAByteIsWrong() throws IOException {
        use(LoggingMethod.COMMAND);
        flip(snapshot().resolve("partition-1.data"), 700);

        int code = run("verify", data());

        assertThat(code).isEqualTo(RepriseTool.DAMAGED);
        assertThat(printed()).contains("DAMAGED. The snapshot file", "partition-1.data", "Log of database");
    }

    @Test
    void shouldListASnapshotInAnotherFormatAndPrintTheLogWithoutIt() throws IOException {
        use(LoggingMethod.COMMAND);
        Path manifest = snapshot().resolve("manifest");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(manifest)).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C crc = new CRC32C();
        crc.update(bytes.putInt(8, 99).array(), 0, 16);
        crc.update(bytes.array(), 20, bytes.capacity() - 20);
        Files.write(manifest, bytes.putInt(16, (int) crc.getValue()).array());

        assertThat(run("snapshots", data())).isEqualTo(RepriseTool.FAILED);
        assertThat(printed()).contains(snapshot().getFileName() + "  The snapshot file", "has format 99");
        assertThat(run("log", "print", data())).as(printed()).isZero();
    }

    @Test
    void shouldSayThatADirectoryWasNotRestoredToTheEnd() throws IOException {
        use(LoggingMethod.COMMAND);
        Files.createFile(folder.resolve("data").resolve(Restore.UNFINISHED));
        // The first engine writes it.
        Files.delete(folder.resolve("data").resolve(LogWitness.FILE));

        int code = run("verify", data());

        assertThat(code).isEqualTo(RepriseTool.DAMAGED);
        assertThat(printed()).contains("was not finished: it has a file restore-unfinished", "Something is wrong");
    }

    @Test
    void shouldReadWhatIsThereWhileAnEngineRuns() {
        try (Reprise engine =
                fill(options(LoggingMethod.COMMAND, folder.resolve("data")).open())) {
            assertThat(engine.snapshot().succeeded()).isTrue();

            assertThat(run("verify", data())).as(printed()).isZero();
            assertThat(run("log", "print", data(), "--limit", "1")).isZero();
            engine.call("Transfer", 1, 2, 5);
        }
    }

    @Test
    void shouldPrintCallsWithNamesAndValues() throws IOException {
        use(LoggingMethod.COMMAND);

        assertThat(run("log", "print", data())).as(printed()).isZero();

        assertThat(printed())
                .contains("CATALOG ", "CREATE TABLE account", "makes ", "OPENACCOUNT (version 1): 7, 1000, 'owner 7'")
                .contains(
                        "STATE_HASH",
                        "ACCOUNT 99 rows ",
                        "SNAPSHOT_BEGIN",
                        "TRANSFER (version 3): 1, 2, 5",
                        "statement 'DELETE FROM account WHERE id = ?': 9")
                .contains("end of the log at 0x");
    }

    @Test
    void shouldPrintChangedRowsWithNamesAndValues() throws IOException {
        use(LoggingMethod.PHYSIOLOGICAL);

        assertThat(run("log", "print", data())).as(printed()).isZero();

        assertThat(printed())
                .contains("ACCOUNT: INSERT row 0 of bucket 334 ", "(ID 7, BALANCE 1000, OWNER 'owner 7')")
                .contains("ACCOUNT: UPDATE (ID 1) to BALANCE 995", "ACCOUNT: UPDATE (ID 2) to BALANCE 1005")
                .contains("ACCOUNT: DELETE (ID 9)");
    }

    @Test
    void shouldPrintFromASnapshotOnWithTheNamesThatItHas() throws IOException {
        use(LoggingMethod.PHYSIOLOGICAL);
        run("snapshots", data());
        String position = printed().strip().replaceAll("(?s).* ", "");

        assertThat(run("log", "print", data(), "--from", position, "--limit", "1"))
                .isZero();

        assertThat(printed())
                .contains("DATA", "ACCOUNT: UPDATE (ID 1) to BALANCE 995")
                .doesNotContain("INSERT");
        assertThat(printed().lines().filter(line -> line.startsWith("  0x"))).hasSize(1);
    }

    @Test
    void shouldPrintOneTransactionWhenAskedForIt() throws IOException {
        use(LoggingMethod.COMMAND);
        run("log", "print", data());
        String line = printed()
                .lines()
                .filter(l -> l.contains("TRANSFER (version"))
                .findFirst()
                .orElseThrow();

        run("log", "print", data(), "--transaction", line.split(" ")[5]);

        assertThat(printed()).contains(line);
        assertThat(printed().lines().filter(l -> l.startsWith("  0x"))).hasSize(1);
    }

    @Test
    void shouldExportATable() throws IOException {
        use(LoggingMethod.COMMAND);
        Path file = folder.resolve("account.csv");

        assertThat(run("export", data(), "--table", "account", "--out", file.toString()))
                .as(printed())
                .isZero();
        assertThat(Files.readAllLines(file))
                .hasSize(101)
                .startsWith("ID,BALANCE,OWNER")
                .contains("7,1000,owner 7");
        assertThat(run("export", data(), "--table", "account", "--out", file.toString()))
                .isEqualTo(RepriseTool.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("exists already");
        assertThat(run("export", data(), "--table", "ACCOUNT")).isZero();
        assertThat(printed()).contains("7,1000,owner 7\r\n");
    }

    @Test
    void shouldLeaveNoPartOfATableWhenItsExportFails() throws IOException {
        use(LoggingMethod.COMMAND);
        Path file = folder.resolve("account.csv");
        Path rows = snapshot().resolve("partition-0.data");
        byte[] whole = Files.readAllBytes(rows);
        byte[] damaged = whole.clone();
        damaged[100] ^= 1;
        Files.write(rows, damaged);

        assertThat(run("export", data(), "--table", "account", "--out", file.toString()))
                .isEqualTo(RepriseTool.DAMAGED);

        assertThat(file).doesNotExist();
        assertThat(folder.resolve("account.csv.partial")).doesNotExist();
        Files.write(rows, whole);
        assertThat(run("export", data(), "--table", "account", "--out", file.toString()))
                .isZero();
        assertThat(Files.readAllLines(file)).hasSize(101);
    }

    @Test
    void shouldSayThatTheLogIsOfAnotherDatabaseWhenTheDirectorySaysSo() throws IOException {
        use(LoggingMethod.COMMAND);
        String another = "0123456789abcdef1122334455667788\nb7be6a59\n";
        Path witness = folder.resolve("data").resolve(LogWitness.FILE);
        String text = Files.readString(witness);
        Files.writeString(witness, text.substring(0, text.indexOf('\n') + 1) + another);

        assertThat(run("verify", data())).isEqualTo(RepriseTool.DAMAGED);

        assertThat(printed()).contains("The data directory is that of database 0123456789abcdef1122334455667788");
    }

    @Test
    void shouldLeaveAFileAloneThatHasTheNameOfAPartOfAnExport() throws IOException {
        use(LoggingMethod.COMMAND);
        Path file = folder.resolve("account.csv");
        Path another = Files.writeString(folder.resolve("account.csv.partial"), "a person's own");

        refused(
                another
                        + " exists already; it may be what is left of a command that was killed: see, and remove it, or name"
                        + " another file",
                "export",
                data(),
                "--table",
                "account",
                "--out",
                file.toString());

        assertThat(another).hasContent("a person's own");
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldSayWhatIsWrongInASentenceWhenACommandCanNotBeDone() throws IOException {
        use(LoggingMethod.COMMAND);

        refused("does not exist", "verify", folder.resolve("nowhere").toString());
        refused("neither a folder log nor a folder snapshot", "verify", folder.toString());
        refused("the snapshot has no table NONE", "export", data(), "--table", "none");
        refused("there is no snapshot 12; there are 0", "export", data(), "--table", "account", "--snapshot", "12");
        refused("--from takes a number such as", "log", "print", data(), "--from", "x");
        refused("the log ends at position 0x", "log", "print", data(), "--from", "0xffffffffff");
        assertThat(folder.resolve("nowhere")).doesNotExist();
    }

    private void refused(String message, String... arguments) {
        assertThat(run(arguments)).isGreaterThan(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(message).doesNotContain("\tat ");
    }

    @BeforeAll
    static void makeDirectories() {
        for (LoggingMethod method : LoggingMethod.values()) {
            try (Reprise engine =
                    fill(options(method, made.resolve(method.name())).open())) {
                assertThat(engine.snapshot().succeeded()).isTrue();
                engine.call("Transfer", 1, 2, 5);
                engine.sql("DELETE FROM account WHERE id = ?", 9);
            }
        }
    }

    /** Makes a copy of what an engine has left. */
    private void use(LoggingMethod method) throws IOException {
        Path from = made.resolve(method.name());
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, folder.resolve("data").resolve(from.relativize(path)));
            }
        }
    }

    private static Reprise fill(Reprise engine) {
        for (int i = 0; i < 100; i++) {
            engine.call("OpenAccount", i, 1000, "owner " + i);
        }
        engine.call("SetRate", "base", 3);
        return engine;
    }

    private static Options options(LoggingMethod method, Path directory) {
        return Options.create()
                .partitions(2)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .directory(directory)
                .durability(Durability.standard()
                        .with(method)
                        .with(LogSettings.DEFAULTS
                                .withSizes(2048, 4096, 1 << 16, 32 << 10)
                                .withSegmentBytes(256 << 10)));
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private Path snapshot() throws IOException {
        try (Stream<Path> snapshots = Files.list(folder.resolve("data/snapshot"))) {
            return snapshots.max(Comparator.naturalOrder()).orElseThrow();
        }
    }

    private Map<String, Long> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            Map<String, Long> sizes = new TreeMap<>();
            for (Path file : files) {
                sizes.put(file.toString(), Files.size(file));
            }
            return sizes;
        }
    }

    private static void flip(Path path, long at) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(at);
            int old = file.read();
            file.seek(at);
            file.write(old ^ 1);
        }
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return RepriseTool.run(out, err, arguments);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }
}
