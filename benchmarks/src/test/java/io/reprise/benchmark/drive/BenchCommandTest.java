package io.reprise.benchmark.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.ClientSettings;
import io.reprise.command.CommandOfModule;
import io.reprise.command.RepriseTool;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.process.NodeProcess;
import io.reprise.procedure.Rows;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import io.reprise.workload.ycsb.YcsbOptions.Mix;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code reprise bench} at a node in this process, over its real ports. */
final class BenchCommandTest {
    /** Said at the end of it. */
    private static final String FIRST_SECOND = "p50 ms";

    @TempDir
    Path folder;

    private NodeProcess node;

    private record Run(int code, String out, String err) {}

    @BeforeEach
    void start() {
        node = NodeProcess.start(ConfigurationFile.parse("""
                engine: {partitions: 2, memoryPerPartition: 256MiB}
                log: {synchronous: false, segment: 16MiB, largestRecord: 1MiB}
                snapshot: {onStop: false}
                http: {port: 0}
                clients: {port: 0}
                """, "test", folder));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Run bench(String... arguments) {
        List<String> all = new ArrayList<>(List.of("bench"));
        all.addAll(List.of(arguments));
        if (!all.contains("--server")) {
            all.addAll(List.of("--data", folder.resolve("data").toString()));
        }
        return reprise(all);
    }

    private Run quick(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(
                List.of("--duration", "1", "--warmup", "0", "--out", results().toString()));
        return bench(all.toArray(String[]::new));
    }

    private static Run reprise(List<String> arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = RepriseTool.run(
                out, err, Map.of("bench", BenchCommand::new), line -> {}, arguments.toArray(String[]::new));
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Path results() {
        return folder.resolve("results");
    }

    private String address() {
        return "127.0.0.1:" + node.clients().orElseThrow().getPort();
    }

    private void ddl(String script) {
        node.engine().ddl(script);
    }

    @ParameterizedTest
    @CsvSource({
        "tatp,--subscribers 1000,SELECT COUNT(*) FROM subscriber,1000",
        "smallbank,--customers 1000,SELECT COUNT(*) FROM savings,1000"
    })
    void shouldLoadAPartByEachOfSeveralDrivers(String workload, String option, String counts, long count)
            throws InterruptedException {
        List<Run> runs = new CopyOnWriteArrayList<>();
        List<Thread> drivers = new ArrayList<>();
        for (String driver : List.of("2/2", "1/2")) {
            List<String> words = new ArrayList<>(List.of(workload, "--rate", "200", "--no-files", "--driver", driver));
            words.addAll(List.of(option.split(" ")));
            drivers.add(Thread.ofPlatform().start(() -> runs.add(quick(words.toArray(String[]::new)))));
        }
        for (Thread driver : drivers) {
            driver.join();
        }

        assertThat(runs)
                .hasSize(2)
                .allSatisfy(run -> assertThat(run.code()).as(run.err()).isZero());
        assertThat(runs).allSatisfy(run -> assertThat(run.out()).contains("Loaded in"));
        Rows counted = node.engine().sql(counts).rows();
        assertThat(counted.next()).isTrue();
        assertThat(counted.longAt(0)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"3/2", "0/2", "2", "a/b"})
    void shouldRejectADriverThatIsNone(String driver) {
        Run run = quick("voter", "--driver", driver);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("as 2/3");
    }

    @ParameterizedTest
    @CsvSource({
        "voter,--rate 500",
        "smallbank,--customers 2000",
        "ycsb,--records 1000 --mix A --callers 4",
        "ycsb,--records 1000 --mix B",
        "ycsb,--records 1000 --mix C --rate 300",
        "ycsb,--records 1000 --mix D --rate 300 --clients 2",
        "ycsb,--records 1000 --mix E --rate 100",
        "ycsb,--records 1000 --mix F",
        "tatp,--subscribers 1000 --callers 2 --clients 2",
        "tpcc,--warehouses 1 --rate 200"
    })
    void shouldDeployLoadDriveAndCheckWhenTheNodeIsEmpty(String workload, String options) {
        List<String> arguments = new ArrayList<>(List.of(workload));
        arguments.addAll(List.of(options.split(" ")));

        Run run = quick(arguments.toArray(String[]::new));

        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out())
                .contains("Deploying the schema and procedures of " + workload)
                .contains("Loaded in ")
                .containsPattern(" calls/s for [1-9][0-9]* s; p50 ")
                .contains("all invariants of the workload hold");
    }

    @Test
    void shouldTakeWhatIsThereAndCountFromThereWhenItIsRunAgain() {
        Run first = quick("smallbank", "--customers", "2000", "--rate", "500");

        Run second = quick("smallbank", "--rate", "500");

        assertThat(first.code()).as(first.err() + first.out()).isZero();
        assertThat(second.code()).as(second.err() + second.out()).isZero();
        assertThat(second.out())
                .doesNotContain("Deploying")
                .doesNotContain("Loading")
                .contains("all invariants");
    }

    @Test
    void shouldWriteAResultWithDrawingsWhenThereAreSeveralRates() throws Exception {
        Run run = quick("voter", "--rate", "200,400");

        assertThat(run.code()).as(run.err() + run.out()).isZero();
        List<Path> files;
        try (Stream<Path> found = Files.list(results())) {
            files = found.sorted().toList();
        }
        assertThat(files)
                .extracting(file -> file.getFileName().toString().replaceAll("-[0-9]{8}-[0-9]{6}", ""))
                .containsExactlyInAnyOrder("voter-latency.svg", "voter-rates.svg", "voter-throughput.svg", "voter.md");
        String text = Files.readString(files.stream()
                .filter(file -> file.toString().endsWith(".md"))
                .findFirst()
                .orElseThrow());
        assertThat(text)
                .contains("reprise bench voter --rate 200,400 ")
                .contains("| open loop at 200 calls/s, 1 client")
                .contains("| open loop at 400 calls/s, 1 client")
                .contains("-rates.svg)");
        for (Path file : files) {
            if (file.toString().endsWith(".svg")) {
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
            }
        }
    }

    /** Scripts read what is printed, and the files' tables. */
    @Test
    void shouldWriteNumbersTheSameWhateverTheLocale() throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        Run run;
        try {
            run = quick("voter", "--rate", "1200");
        } finally {
            Locale.setDefault(before);
        }

        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).contains("open loop at 1,200 calls/s");
        assertThat(run.out().lines().filter(line -> line.contains(" calls/s for ")))
                .singleElement()
                .asString()
                .matches("[0-9]+(,[0-9]{3})? calls/s for [0-9]+ s; p50 [0-9]+\\.[0-9]{3} ms, p99 [0-9]+\\.[0-9]{3} ms,"
                        + " p99\\.9 [0-9]+\\.[0-9]{3} ms, longest [0-9]+\\.[0-9] ms");
        assertThat(run.out().lines().filter(line -> line.matches(" +[0-9]+ s .*")))
                .isNotEmpty()
                .allMatch(line -> line.matches(" +[0-9]+ s +[0-9]+(,[0-9]{3})?( +[0-9]+\\.[0-9]{3}){3}( +[0-9]+){3}"));
    }

    @Test
    void shouldSayWhoSaysItWhenAnOptionIsWrong() {
        Run wrong = bench("voter", "--warehouses", "2");
        Run unknown = bench("voter", "--tempo", "2");

        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).startsWith("reprise: voter has no --warehouses");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).startsWith("reprise: Unknown option").doesNotContain("reprise: reprise:");
    }

    @Test
    void shouldWriteNothingWhenThereAreToBeNoFiles() {
        Run run = bench("voter", "--rate", "200", "--duration", "1", "--warmup", "0", "--no-files");

        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).doesNotContain("Written");
        assertThat(results()).doesNotExist();
    }

    @Test
    void shouldSayThatTheDataAreWrongWhenSomebodyElseChangesThem() {
        quick("smallbank", "--customers", "1000", "--rate", "100");

        Run run = whenItSays(
                "bench smallbank --rate 100 --duration 1 --warmup 0 --no-files",
                Reaction.to(FIRST_SECOND, () -> node.engine().call("DepositChecking", 1, 100)));

        assertThat(run.code()).as(run.out()).isEqualTo(1);
        assertThat(run.out()).contains("THE DATA ARE WRONG").contains("money is conserved");
    }

    @Test
    void shouldRefuseWhatTheNodeHoldsInAnotherSizeOrInPart() {
        quick("smallbank", "--customers", "1000", "--rate", "100");

        Run other = quick("smallbank", "--customers", "2000");
        node.engine().sql("DELETE FROM accounts WHERE custid = 17");
        Run part = quick("smallbank");

        assertThat(other.code()).isEqualTo(3);
        assertThat(other.err())
                .isEqualTo(
                        "reprise: the node has 1000 customers of smallbank, not 2000: say --customers 1000 or nothing,"
                                + " or start a node with another data directory\n");
        assertThat(part.code()).isEqualTo(3);
        assertThat(part.err()).contains("does not have all rows of 999 customers of smallbank");
    }

    @Test
    void shouldRefuseTablesOfAnotherApplicationAndLeaveThemAlone() {
        ddl("CREATE TABLE accounts (id BIGINT NOT NULL PRIMARY KEY)");

        Run run = quick("smallbank");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err())
                .contains(
                        "the node has tables of another application: [accounts] are there, but not [savings, checking]");
        assertThat(node.engine().catalog().tables()).hasSize(1);
    }

    @Test
    void shouldRefuseTablesThatAreNamedAlikeWhenTheirColumnsAreOthers() {
        ddl("CREATE TABLE usertable (id BIGINT NOT NULL PRIMARY KEY)");

        Run run = quick("ycsb", "--records", "1000");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("ycsb could not be loaded").contains("another data directory");
    }

    @Test
    void shouldSayThatAProcedureIsMissingBeforeAnythingIsDriven() {
        quick("ycsb", "--records", "1000", "--mix", "A", "--rate", "100");

        Run run = quick("ycsb", "--records", "1000", "--mix", "E");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("procedure ScanRecords of ycsb-e can't be called");
    }

    @Test
    void shouldDriveANodeElsewhereOnceItIsDeployed() {
        Run before = quick("voter", "--rate", "100", "--server", address());
        quick("voter", "--rate", "100");
        Run after = quick("voter", "--rate", "100", "--server", address());

        assertThat(before.code()).isEqualTo(3);
        assertThat(before.err()).contains("the node has no tables of voter").contains("do this there first");
        assertThat(after.code()).as(after.err() + after.out()).isZero();
    }

    @Test
    void shouldSayWhatIsWrongWithTheCommand() {
        Run unknown = quick("tpch");
        Run option = quick("voter", "--warehouses", "4");
        Run unit = quick("tpcc", "--customers", "4");
        Run both = quick("voter", "--rate", "5", "--callers", "5");

        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no workload tpch; there are tpcc, smallbank, voter, ycsb, tatp");
        assertThat(option.code()).isEqualTo(2);
        assertThat(option.err()).contains("voter has no --warehouses");
        assertThat(unit.err()).contains("tpcc has no --customers; its size is --warehouses");
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("callers wait for their replies, so they have no rate");
    }

    @ParameterizedTest
    @CsvSource({
        "tpcc,--warehouses,0,warehouses must be between",
        "tpcc,--warehouses,40000,warehouses must be between",
        "smallbank,--customers,0,customers",
        "ycsb,--records,1,at least 2 records",
        "tatp,--subscribers,-1,at least one subscriber"
    })
    void shouldRefuseASizeThatNoWorkloadHasBeforeAnythingIsDone(
            String workload, String option, String size, String why) {
        Run run = quick(workload, option, size);

        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(why);
        assertThat(run.out()).isEmpty();
        assertThat(results()).doesNotExist();
    }

    @Test
    void shouldCountErrorsOfTheWarmUpAsErrors() {
        quick("voter", "--rate", "100");
        // Until it has seen that there are errors.
        Run run = whenItSays(
                "bench voter --rate 200 --duration 1 --warmup 3 --no-files",
                Reaction.to("warming up", () -> ddl("DROP PROCEDURE Vote")),
                Reaction.to(" [1-9][0-9]* {2}warming up", () -> ddl(declarationOfVote())));

        assertThat(run.out()).contains("The first error: ");
        assertThat(run.code()).as(run.out()).isEqualTo(1);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldSayThatTheNodeHasGoneBeforeAnythingIsDriven() {
        Run run = whenItSays("bench voter --timeout 5 --no-files", Reaction.to("Loaded in", node::close));

        assertThat(run.code()).as(run.out()).isEqualTo(3);
        assertThat(run.out()).containsPattern("reprise: .*connection").doesNotContain("bug");
    }

    /** An action that follows when a command has said something. */
    private record Reaction(Pattern said, Runnable done) {
        static Reaction to(String said, Runnable done) {
            return new Reaction(Pattern.compile(said), done);
        }
    }

    /** Runs a command, and reacts as soon as it has said something, and then something behind that; out has its errors too. */
    private Run whenItSays(String command, Reaction... reactions) {
        Deque<Reaction> left = new ArrayDeque<>(List.of(reactions));
        ByteArrayOutputStream out = new ByteArrayOutputStream() {
            private int seen;

            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                super.write(bytes, from, length);
                if (left.isEmpty()) {
                    return;
                }
                Matcher matcher = left.element().said().matcher(toString(StandardCharsets.UTF_8));
                if (matcher.find(seen)) {
                    seen = matcher.end();
                    left.remove().done().run();
                }
            }
        };
        int code = RepriseTool.run(
                out,
                out,
                Map.of("bench", BenchCommand::new),
                line -> {},
                (command + " --data " + folder.resolve("data")).split(" "));
        return new Run(code, out.toString(StandardCharsets.UTF_8), "");
    }

    private static String declarationOfVote() {
        return Pattern.compile("CREATE PROCEDURE [^;]*Vote")
                .matcher(NamedWorkload.VOTER.workload(1, Mix.A).ddl())
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldEndADriveWhenWhoeverIsToldOfRepliesFails() throws InterruptedException {
        quick("voter", "--rate", "100");
        Semaphore told = new Semaphore(0);
        Workload voter = NamedWorkload.VOTER.workload(1, Mix.A);
        Workload failing = instead(Workload.class, voter, "generator", made -> {
            return instead(Generator.class, (Generator) made, "completed", nothing -> {
                told.release();
                throw new IllegalStateException("it can't count");
            });
        });
        ClientSettings settings =
                ClientSettings.to(node.clients().orElseThrow()).withConnectTimeout(Duration.ofMinutes(1));

        try (Session session = new Session(failing, settings, 1, 1)) {
            Drive drive = session.drive(100);
            told.acquire();
            drive.stop();

            assertThat(drive.failures().errors()).isPositive();
        }
    }

    /** With one call under way at most, far fewer are made than are due. */
    @ParameterizedTest
    @CsvSource({"20000, false", "1000000, true"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldCountTheTimesOfAllCallsThatWereDueWhenThereIsNoRoomForThem(int rate, boolean tooManyToMakeUp)
            throws InterruptedException {
        quick("voter", "--rate", "100");
        ClientSettings settings = ClientSettings.to(node.clients().orElseThrow())
                .withConnectTimeout(Duration.ofMinutes(1))
                .withMaxCalls(1, true);

        try (Session session = new Session(NamedWorkload.VOTER.workload(1, Mix.A), settings, 1, 1)) {
            long beforeNs = System.nanoTime();
            Drive drive = session.drive(rate);
            while (drive.completed() == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            long begunNs = System.nanoTime();
            LockSupport.parkNanos(500_000_000L);
            double least = rate * (System.nanoTime() - begunNs) / 1e9;
            drive.end();
            double most = rate * (System.nanoTime() - beforeNs) / 1e9;
            drive.stop();

            long counted = drive.latencies().getTotalCount();
            assertThat(drive.failures().errors()).isZero();
            assertThat((double) counted).isBetween(least - 1, most + 1);
            if (tooManyToMakeUp) {
                assertThat(drive.missed()).isPositive();
            }
            assertThat(counted - drive.missed()).as("made").isEqualTo(drive.completed());
        }
    }

    /** The same, but that something else is done with what a method returns. */
    private static <T> T instead(Class<T> type, T of, String method, UnaryOperator<Object> done) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> {
                    Object returned = called.invoke(of, given);
                    return called.getName().equals(method) ? done.apply(returned) : returned;
                }));
    }

    @Test
    void shouldSayThatNoNodeIsAtWork() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        Run local = reprise(List.of("bench", "voter", "--data", empty.toString()));
        Run remote = reprise(List.of("bench", "voter", "--server", "127.0.0.1:1"));

        assertThat(local.code()).isEqualTo(3);
        assertThat(local.err()).startsWith("reprise: no node is at work in " + empty);
        assertThat(remote.code()).isEqualTo(3);
        assertThat(remote.err()).startsWith("reprise: no server can be reached");
    }

    @Test
    void shouldCountErrorsAndEndWhenTheNodeStopsInTheMidst() {
        quick("voter", "--rate", "100");

        Run run = whenItSays(
                "bench voter --rate 200 --duration 4 --warmup 0 --no-files", Reaction.to(FIRST_SECOND, node::close));

        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(1);
        assertThat(run.out()).contains("The first error: ");
    }

    @Test
    void shouldBeACommandOfTheProgram() {
        boolean found =
                ServiceLoader.load(CommandOfModule.class).stream().anyMatch(each -> each.type() == BenchCommand.class);

        Run help = reprise(List.of("bench", "--help"));

        assertThat(found).isTrue();
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("reprise bench tpcc --warehouses 4 --rate 20000 --duration 60");
    }
}
