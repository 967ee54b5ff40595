package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.execution.Result;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of a cluster that serve before their rows are loaded answer as if they had never stopped. */
final class DemandOverNodesTest {
    private static final long MOST_STEPS = 3_000_000;
    private static final int PARTITIONS = 4;
    private static final int ACCOUNTS = 40;
    private static final int STEPS = 80;
    private static final int ROUNDS = 400;
    private static final long SNAPSHOT_MS = 100;
    private static final long CLIENT = 77;
    private static final long LEAST_WITH_ROWS = 400;
    private static final Set<String> READS = Set.of("Balance", "Total", "Rate", "Notes");
    private static final Set<String> AGAIN = Set.of("MOVED", "PARTITION_UNAVAILABLE", "OUTCOME_UNKNOWN", "OVERLOADED");

    /** A chain of accounts that no argument names, so that the call meets buckets by its statements alone. */
    private static final String CHAIN = """
            CREATE PROCEDURE Chain FROM CLASS io.reprise.simulation.cluster.Bank$Chain;
            """;

    /** Two nodes under a seed, and an engine in memory that gets the same calls. */
    private static final class World implements AutoCloseable {
        final Simulation simulation;
        final Randomness random;
        final SimulatedLinks network;
        final List<ClusterMachine> nodes = new ArrayList<>();
        final List<String> story = new ArrayList<>();
        final Reprise oracle;
        final int kSafety;
        private long sequence;
        int answeredWhileLoading;

        World(long seed, LoggingMethod method, int kSafety) {
            simulation = new Simulation(seed);
            random = new SeededRandomness(seed);
            network = new SimulatedLinks(simulation);
            this.kSafety = kSafety;
            SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
            ClusterMachine.Shape shape =
                    new ClusterMachine.Shape(2, PARTITIONS, kSafety, true, method, Duration.ofMillis(300));
            for (int i = 0; i < 2; i++) {
                nodes.add(new ClusterMachine(simulation, network, service, shape, i, SNAPSHOT_MS)
                        .withMore(CHAIN)
                        .onDemand(true));
            }
            oracle = Options.create()
                    .partitions(PARTITIONS)
                    .buckets(64)
                    .threads(Options.Threads.CALLER)
                    .ddl(nodes.getFirst().ddl())
                    .durability(Durability.standard())
                    .open();
            nodes.forEach(ClusterMachine::start);
            reach(this::isServed);
            for (int account = 0; account < ACCOUNTS; account++) {
                compare("OpenAccount", account);
                compare("Deposit", 1000 + account, account);
            }
            simulation.runFor(3 * SNAPSHOT_MS * 1_000_000);
        }

        void reach(BooleanSupplier condition) {
            simulation.runUntil(condition, MOST_STEPS);
        }

        boolean isServed() {
            return ClusterMachine.isServed(nodes);
        }

        boolean isLoading() {
            return nodes.stream()
                    .filter(ClusterMachine::isUp)
                    .anyMatch(node ->
                            node.engine().load().filter(load -> !load.isOver()).isPresent());
        }

        boolean isWhole() {
            long inSync = nodes.stream()
                    .filter(ClusterMachine::isUp)
                    .flatMap(node -> node.replicas().stream())
                    .filter(replica -> replica.serves() || replica.role().equals("FOLLOWER"))
                    .count();
            return isServed() && !isLoading() && inSync == (long) PARTITIONS * (1 + kSafety);
        }

        /** Makes a call here and at the oracle, and compares the answers. */
        void compare(String procedure, long... numbers) {
            story.add(procedure + Arrays.toString(numbers));
            String expected = expected(procedure, numbers);
            boolean loading = isLoading();
            String answer = answer(procedure, numbers);
            answeredWhileLoading += loading && isLoading() ? 1 : 0;
            assertThat(answer)
                    .as("seed %d%n%s", simulation.seed(), String.join("\n", story))
                    .isEqualTo(expected);
        }

        private String expected(String procedure, long... numbers) {
            try {
                return text(oracle.call(procedure, boxed(numbers)));
            } catch (ProcedureException e) {
                return String.valueOf(e.code());
            }
        }

        /** Reads are made anew, writes are repeated under their number, at each node in turn until the outcome is known. */
        private String answer(String procedure, long... numbers) {
            boolean isRead = READS.contains(procedure);
            sequence += isRead ? 0 : 1;
            int first = random.nextInt(2);
            for (int i = 0; i < ROUNDS; i++) {
                ClusterMachine node = nodes.get((first + i) % 2);
                String answer = isRead ? read(node, procedure, numbers) : write(node, procedure, numbers);
                if (!AGAIN.contains(answer)) {
                    return answer;
                }
                simulation.runFor(2_000_000);
            }
            throw new AssertionError("seed " + simulation.seed() + ": no answer to " + story);
        }

        /** The answer of the first node that serves a call. */
        Reply reply(String procedure, long from, long to, long amount) {
            Reply answer = null;
            for (ClusterMachine node : nodes) {
                Object[] arguments = procedure.equals("Chain") ? boxed(from, to) : boxed(from, to, amount);
                CompletableFuture<Reply> call = node.engine().callAsync(procedure, arguments);
                reach(call::isDone);
                answer = call.join();
                if (answer.error() != ErrorCode.MOVED) {
                    break;
                }
            }
            return answer;
        }

        private String read(ClusterMachine node, String procedure, long... numbers) {
            CompletableFuture<Reply> answer = node.engine().callAsync(procedure, boxed(numbers));
            reach(answer::isDone);
            return text(answer.join());
        }

        private String write(ClusterMachine node, String procedure, long... numbers) {
            Call call = new Call(node.engine().procedure(procedure), CLIENT, sequence, null, numbers);
            node.door().send(call, 0);
            reach(() -> call.isAnswered);
            return call.error == null ? String.valueOf(call.result) : call.error.name();
        }

        void kill(ClusterMachine node) {
            boolean power = random.chance(0.5);
            story.add("kill " + node.number() + (power ? " with its power" : ""));
            node.kill(power);
        }

        void start(ClusterMachine node) {
            node.start();
            story.add("start " + node.number() + ", on demand: "
                    + node.engine().load().isPresent());
        }

        /** Ends nodes, often again while they load. */
        void restart() {
            boolean all = random.chance(0.4);
            ClusterMachine one = nodes.get(random.nextInt(2));
            for (int times = random.nextInt(3); times >= 0; times--) {
                List<ClusterMachine> ending = all ? nodes : List.of(one);
                ending.forEach(this::kill);
                simulation.run(random.nextInt(500));
                int[] speeds = {1, 10, 30};
                ending.forEach(node -> node.slowLoading(speeds[random.nextInt(speeds.length)]));
                ending.forEach(this::start);
                simulation.run(random.nextInt(3000));
            }
        }

        void step() {
            int from = random.nextInt(ACCOUNTS);
            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            switch (random.nextInt(16)) {
                case 0, 1 -> compare("Balance", from);
                case 2, 3 -> compare("Deposit", random.nextInt(9), from);
                case 4, 5 -> compare("Transfer", from, to, random.nextInt(5));
                case 6, 7 -> compare("Pay", from, to, random.nextInt(5));
                case 8 -> compare("Give", from, to, random.nextInt(5));
                case 9 -> compare("Foresee", from, to, random.nextInt(5));
                case 10 -> compare("Reopen", from, to, 7);
                case 11, 12 -> compare("Chain", from, to);
                case 13 -> compare("Balance", to);
                case 14 -> compare(random.chance(0.3) ? "PayAll" : "Deposit", 3, from);
                default -> compare(random.chance(0.3) ? "Total" : "Rate");
            }
        }

        /** Every row is compared, before and behind a recovery of all rows. */
        void checkAll() {
            reach(this::isWhole);
            compare("Total");
            for (int account = 0; account < ACCOUNTS; account++) {
                compare("Balance", account);
            }
            simulation.runFor(SNAPSHOT_MS * 1_000_000);
            reach(this::isWhole);
            simulation.runFor(2_000_000_000L);
            List<long[]> before =
                    nodes.stream().map(node -> node.engine().contentHashes()).toList();
            nodes.forEach(node -> node.kill(true));
            for (ClusterMachine node : nodes) {
                node.onDemand(false).start();
                assertThat(node.engine().load()).isEmpty();
                assertThat(node.engine().contentHashes())
                        .as("seed %d, node %d%n%s", simulation.seed(), node.number(), String.join("\n", story))
                        .isEqualTo(before.get(node.number()));
            }
        }

        @Override
        public void close() {
            nodes.forEach(ClusterMachine::abandon);
            oracle.close();
        }
    }

    private static Object[] boxed(long... numbers) {
        return Arrays.stream(numbers).boxed().toArray();
    }

    private static String text(Reply reply) {
        if (!reply.committed()) {
            return String.valueOf(reply.error());
        }
        if (reply.kind() != Result.Kind.ROWS) {
            return String.valueOf(reply.value());
        }
        Rows rows = reply.rows();
        StringBuilder text = new StringBuilder("rows");
        while (rows.next()) {
            text.append(' ').append(rows.longAt(0));
        }
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL", "BOUNDARY"})
    void shouldAnswerAsIfNoNodeHadStoppedWhenEachPartitionHasOneCopy(LoggingMethod method) {
        Seeds.forEach(1, seed -> compare(seed, method, 0));
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "BOUNDARY"})
    void shouldAnswerAsIfNoNodeHadStoppedWhenEachPartitionHasTwoCopies(LoggingMethod method) {
        Seeds.forEach(1, seed -> compare(seed, method, 1));
    }

    private static void compare(long seed, LoggingMethod method, int kSafety) {
        try (World world = new World(seed, method, kSafety)) {
            for (int i = 0; i < STEPS; i++) {
                if (world.random.chance(0.08)) {
                    world.restart();
                } else {
                    world.step();
                }
            }
            world.restart();
            world.step();
            world.checkAll();
            assertThat(world.story).anyMatch(line -> line.endsWith("on demand: true"));
            assertThat(world.answeredWhileLoading)
                    .as("seed %d: answers while rows were missing", seed)
                    .isPositive();
        }
    }

    /** Its buckets come first; meanwhile the call over both nodes runs again, and the other buckets are not loaded. */
    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL", "BOUNDARY"})
    void shouldRunACallAgainWhoseBucketAtAnotherNodeIsNotLoaded(LoggingMethod method) {
        try (World world = new World(3, method, 0)) {
            ClusterMachine node = world.nodes.get(1);
            node.kill(true);
            node.slowLoading(300);
            node.start();
            LoadStats loads = node.engine().load().orElseThrow();
            world.reach(world::isServed);
            long before = loads.onDemand();
            assertThat(loads.isOver()).isFalse();

            for (int account = 0; account < 4; account++) {
                world.compare("Pay", account, ACCOUNTS - 1 - account, 5);
                world.compare("Chain", account, 3);
            }

            assertThat(loads.onDemand()).isGreaterThan(before + 2);
            assertThat(loads.ready()).isLessThan(loads.buckets());
            assertThat(loads.isOver()).isFalse();
        }
    }

    @Test
    void shouldNameTheBucketsOfChangedRowsInDataRecords() {
        try (World world = new World(5, LoggingMethod.PHYSIOLOGICAL, 0)) {
            for (int i = 0; i < 30; i++) {
                world.compare("Transfer", i, (i + 7) % ACCOUNTS, 1);
            }
            world.simulation.runFor(1_000_000_000L);
            for (ClusterMachine node : world.nodes) {
                node.kill(true);
                assertThat(node.dataWithoutBuckets()).isZero();
            }
        }
    }

    /** The rows of the other buckets are served meanwhile, and the next start passes over the damaged snapshot. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRecoverAllRowsAtTheNextStartWhenABucketIsDamaged(int number) {
        try (World world = new World(7, LoggingMethod.COMMAND, 0)) {
            ClusterMachine node = world.nodes.get(number);
            node.kill(true);
            damageNewestSnapshot(node.disk());

            node.start();
            LoadStats loads = node.engine().load().orElseThrow();
            world.reach(loads::isOver);

            assertThat(loads.failed()).isPositive();
            assertThat(loads.ready()).isPositive();
            world.simulation.runFor(1_000_000_000L);
            node.kill(false);
            node.start();
            assertThat(node.engine().load()).isEmpty();
            for (int account = 0; account < ACCOUNTS; account++) {
                world.compare("Balance", account);
            }
            world.compare("Total");
        }
    }

    /** Other nodes wait for the decision of a part in doubt, so a node that can't apply it ends, and recovers all rows. */
    @Test
    void shouldEndWhenATransactionInDoubtChangesADamagedBucket() {
        boolean hasEnded = false;
        for (int seed = 1; seed <= 12 && !hasEnded; seed++) {
            try (World world = new World(seed, LoggingMethod.COMMAND, 0)) {
                hasEnded = endsInDoubt(world, world.nodes.get(1));
            }
        }
        assertThat(hasEnded).isTrue();
    }

    /** Kills a node while transactions are under way, and damages a bucket. Whether that ends the node at its next start. */
    private static boolean endsInDoubt(World world, ClusterMachine node) {
        for (int account = 0; account + 1 < ACCOUNTS; account++) {
            world.nodes.get(account % 2).engine().callAsync("Pay", boxed(account, account + 1, 1));
        }
        world.simulation.run(200 + world.random.nextInt(2_000));
        node.kill(true);
        damageNewestSnapshot(node.disk());
        List<String> failures = new ArrayList<>();
        world.simulation.onNodeFailure((name, role, cause) -> failures.add(String.valueOf(cause)));
        node.start();
        world.simulation.runFor(3_000_000_000L);
        if (failures.isEmpty()) {
            return false;
        }
        assertThat(failures)
                .as("seed %d", world.simulation.seed())
                .hasSize(1)
                .allMatch(each -> each.contains("in doubt"));
        node.ended(true);
        node.start();
        assertThat(node.engine().load()).isEmpty();
        world.reach(world::isServed);
        return true;
    }

    /** A call over nodes is told at once which bucket is damaged, at its home or at another node. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRefuseACallOverNodesAtOnceWhenItsBucketIsDamaged(int number) {
        try (World world = new World(7, LoggingMethod.COMMAND, 0)) {
            ClusterMachine node = world.nodes.get(number);
            node.kill(true);
            damageNewestSnapshot(node.disk());
            node.start();
            world.reach(node.engine().load().orElseThrow()::isOver);
            world.reach(world::isServed);
            long beganNs = world.simulation.clock().nanoTime();

            List<Reply> refused = new ArrayList<>();
            for (int account = 0; account + 1 < ACCOUNTS; account++) {
                for (String procedure : List.of("Pay", "Chain")) {
                    Reply reply = world.reply(procedure, account, account + 1, 3);
                    if (String.valueOf(reply.message()).contains("can't be loaded")) {
                        refused.add(reply);
                    }
                }
            }

            assertThat(refused).isNotEmpty().extracting(Reply::error).containsOnly(ErrorCode.PARTITION_UNAVAILABLE);
            assertThat(world.simulation.clock().nanoTime() - beganNs).isLessThan(10_000_000_000L);
        }
    }

    /** Behind the header of each file are blocks of rows. A snapshot without a manifest was not complete. */
    private static void damageNewestSnapshot(SimulatedFileStore disk) {
        String folder = "snapshot/"
                + disk.list("snapshot").stream()
                        .filter(each -> disk.list("snapshot/" + each).contains("manifest"))
                        .max(String::compareTo)
                        .orElseThrow();
        for (String name : disk.list(folder)) {
            String path = folder + "/" + name;
            try (DataFile file = disk.openReadOnly(path)) {
                if (name.equals("manifest") || file.size() < LEAST_WITH_ROWS) {
                    continue;
                }
            }
            disk.flipBit(path, LEAST_WITH_ROWS / 2, 3);
        }
    }
}
