package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import io.reprise.node.TcpProxy;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.SnapshotSettings;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads that stop before their end, and go on as they say. */
final class StoppedLoadTest {
    private static final int RECORDS = 60_000;
    private static final long SEGMENT = 128 << 10;
    private static final int REPLIES = 3_000;
    private static final Pattern FROM = Pattern.compile("--from-line ([0-9]+)");

    @TempDir
    Path folder;

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private Server server;
    private Path file;

    private record Run(int code, String out, String err) {}

    @BeforeEach
    void start() throws IOException {
        server = Server.open(
                Options.create()
                        .partitions(1)
                        .memoryPerPartition(32 << 20)
                        .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));"
                                + " PARTITION TABLE note ON COLUMN id")
                        .files(disk)
                        .durability(Durability.standard()
                                .with(LogSettings.DEFAULTS
                                        .withSizes(2048, 8192, 1 << 16, 16 << 10)
                                        .withSegmentBytes(SEGMENT)
                                        .withCompression(Compression.NONE))
                                .with(SnapshotSettings.usual().onDemand())),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        StringBuilder text = new StringBuilder("id,text\n");
        for (int i = 0; i < RECORDS; i++) {
            text.append(i).append(',').append("0123456789".repeat(25)).append('\n');
        }
        file = Files.writeString(folder.resolve("note.csv"), text);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Run load(InetSocketAddress address, String... more) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] arguments = new String[more.length + 5];
        arguments[0] = "load";
        arguments[1] = "--server";
        arguments[2] = address.getHostString() + ":" + address.getPort();
        arguments[3] = "note";
        arguments[4] = file.toString();
        System.arraycopy(more, 0, arguments, 5, more.length);
        int code = RepriseCommand.run(out, err, arguments);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private long count(long below) {
        var rows = server.engine()
                .sql("SELECT COUNT(*) FROM note WHERE id < ?", below)
                .rows();
        rows.next();
        return rows.longAt(0);
    }

    /** Whether there is room is looked for ten times a second. */
    private void awaitWrites() {
        long beganNs = System.nanoTime();
        while (true) {
            try {
                server.engine().sql("INSERT INTO note VALUES (-1, 'there is room')");
                server.engine().sql("DELETE FROM note WHERE id = -1");
                return;
            } catch (ProcedureException refused) {
                assertThat(refused.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
                assertThat(System.nanoTime() - beganNs).isLessThan(30_000_000_000L);
            }
        }
    }

    /** The line that a stopped load names, of which it is shown that all before it is in the table. */
    private long namedLine(Run stopped) {
        assertThat(stopped.code()).as(stopped.err()).isEqualTo(3);
        assertThat(stopped.err()).startsWith("reprise: the load has stopped: ");
        Matcher from = FROM.matcher(stopped.err());
        assertThat(from.find()).as(stopped.err()).isTrue();
        long line = Long.parseLong(from.group(1));
        // Behind the line with the names each has one record, and the first has the id 0. On an overloaded node even
        // that may have to wait while others go on.
        assertThat(line).isBetween(2L, (long) RECORDS);
        assertThat(count(line - 2)).isEqualTo(line - 2);
        assertThat(stopped.err()).contains("Every record before line " + line + " of the file is in the table");
        return line;
    }

    @Test
    void shouldSayHowToGoOnWhenTheDiskOfTheNodeIsFull() {
        disk.faults().budget(3 * SEGMENT);

        Run stopped = load(server.address());
        // Reads wait until what they may have seen is on disk, so there has to be room for the log first.
        disk.faults().none();
        awaitWrites();
        long line = namedLine(stopped);
        Run rest = load(server.address(), "--from-line", Long.toString(line), "--upsert");

        assertThat(stopped.err())
                .contains("no space left", "First make room on the disk", "\"The log takes no writes\"");
        assertThat(rest.code()).as(rest.err()).isZero();
        assertThat(rest.out())
                .startsWith((RECORDS + 2 - line) + " of " + (RECORDS + 2 - line) + " records are in note");
        assertThat(count(RECORDS)).isEqualTo(RECORDS);
    }

    @Test
    void shouldSayHowToGoOnWhenTheConnectionIsLost() throws IOException {
        AtomicReference<TcpProxy> stands = new AtomicReference<>();
        Run stopped;
        try (TcpProxy proxy = new TcpProxy(
                server.address(), (from, to, connection, toClient) -> pass(from, to, toClient, stands.get()))) {
            stands.set(proxy);
            stopped = load(proxy.address(), "--timeout", "5");
        }
        long line = namedLine(stopped);
        Run rest = load(server.address(), "--from-line", Long.toString(line), "--upsert");

        assertThat(stopped.err()).contains("First see to it that the node is at work", " may be");
        assertThat(folder.resolve("note.csv.rejects")).doesNotExist();
        assertThat(rest.code()).as(rest.err()).isZero();
        assertThat(count(RECORDS)).isEqualTo(RECORDS);
    }

    /** Until so many replies have passed; from then on nobody is there. */
    private static void pass(Socket from, Socket to, boolean toClient, TcpProxy proxy) throws IOException {
        byte[] chunk = new byte[256];
        long passed = 0;
        for (int count = from.getInputStream().read(chunk);
                count >= 0;
                count = from.getInputStream().read(chunk)) {
            to.getOutputStream().write(chunk, 0, count);
            passed += count;
            if (toClient && passed > REPLIES) {
                proxy.close();
                return;
            }
        }
    }

    @Test
    void shouldGoOnFromARecordThatCouldNotBeNotedAsRefused() throws IOException {
        Files.writeString(file, "id,text\n0,good\n1,too,many\n2,good\n");
        String tooLongAName = folder.resolve("r".repeat(300)).toString();

        Run stopped = load(server.address(), "--rejects", tooLongAName);

        assertThat(stopped.code()).isEqualTo(3);
        assertThat(stopped.err()).contains("the file of rejects can't be written", "--from-line 3.");
    }

    @Test
    void shouldSayHowToGoOnWhenItIsStoppedByASignal() throws Exception {
        Semaphore goOn = new Semaphore(0);
        AtomicLong replied = new AtomicLong();
        try (TcpProxy proxy = new TcpProxy(
                server.address(), (from, to, connection, toClient) -> pause(from, to, toClient, replied, goOn))) {
            Process process = loading(proxy.address(), replied);
            try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
                process.toHandle().destroy();
                String first = err.readLine();
                goOn.release();
                String rest = String.join("\n", err.lines().toList());

                assertThat(first).isEqualTo("reprise: stopping, when the records under way have ended");
                assertThat(process.waitFor()).isEqualTo(143);
                assertThat(rest).startsWith("reprise: the load has stopped: it was told to");
                namedLine(new Run(3, "", rest));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /**
     * One that has had so many replies. With its first connection a process loads all that a client consists of, which may take longer than
     * connecting may where others want the processor: it is started again then.
     */
    private Process loading(InetSocketAddress address, AtomicLong replied) throws IOException {
        for (int attempt = 0; attempt < 3; attempt++) {
            Process process = process(address);
            while (replied.get() <= REPLIES && process.isAlive()) {
                LockSupport.parkNanos(1_000_000);
            }
            if (process.isAlive()) {
                return process;
            }
            assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("no server can be reached");
        }
        throw new AssertionError("no process could connect");
    }

    private Process process(InetSocketAddress address) throws IOException {
        List<String> line = new ArrayList<>(List.of("env", "--default-signal=INT,TERM,HUP"));
        line.addAll(CommandProcess.line(
                "load", "--server", address.getHostString() + ":" + address.getPort(), "note", file.toString()));
        return new ProcessBuilder(line).start();
    }

    /** When so many replies have passed those that follow wait for the test. */
    private static void pause(Socket from, Socket to, boolean toClient, AtomicLong replied, Semaphore goOn)
            throws IOException {
        byte[] chunk = new byte[256];
        for (int count = from.getInputStream().read(chunk);
                count >= 0;
                count = from.getInputStream().read(chunk)) {
            to.getOutputStream().write(chunk, 0, count);
            if (toClient && replied.addAndGet(count) > REPLIES) {
                goOn.acquireUninterruptibly();
                goOn.release();
            }
        }
    }

    @Test
    void shouldSayHowToGoOnWhenTheFileMakesNoSenseFromALineOn() throws IOException {
        String good = Files.readString(file);
        Files.writeString(file, good + RECORDS + ",\"never closed\n");

        Run open = load(server.address());
        Files.write(file, (good + RECORDS + ",caf\u00e9\n").getBytes(StandardCharsets.ISO_8859_1));
        Run latin = load(server.address(), "--upsert");

        assertThat(open.code()).isEqualTo(3);
        assertThat(open.err())
                .contains("the quotation mark in the record that begins on line 60002 is not closed")
                .contains("--from-line 60002.");
        assertThat(count(RECORDS)).isEqualTo(RECORDS);
        assertThat(latin.code()).isEqualTo(3);
        assertThat(latin.err()).containsPattern("from line [0-9]+ on something in the file is not in UTF-8");
        assertThat(count(RECORDS + 1)).isEqualTo(RECORDS);
    }
}
