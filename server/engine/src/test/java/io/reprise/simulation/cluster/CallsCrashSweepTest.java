package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.RecordKind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A home of calls over nodes whose disk loses its power at each call in turn, and again during the recovery. Its log has CALLS records. Each payment is there
 * once afterwards, and no reader has seen half of one.
 */
final class CallsCrashSweepTest {
    private static final long MOST_STEPS = 3_000_000;
    private static final int PAYERS = 3;
    private static final int PAYMENTS = 8;
    private static final long CALLS_OF_A_RECOVERY = 60;

    /** Two nodes with payers, of which one loses its power. */
    private static final class World implements AutoCloseable {
        final Simulation simulation;
        final List<ClusterMachine> nodes = new ArrayList<>();
        final List<BankCaller> payers = new ArrayList<>();
        private long again;
        private int losses;

        World(long seed, boolean onDemand) {
            simulation = new Simulation(seed);
            SimulatedLinks network = new SimulatedLinks(simulation);
            SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
            ClusterMachine.Shape shape =
                    new ClusterMachine.Shape(2, 4, 0, true, LoggingMethod.BOUNDARY, Duration.ofMillis(300));
            for (int i = 0; i < 2; i++) {
                nodes.add(new ClusterMachine(simulation, network, service, shape, i, 50).onDemand(onDemand));
            }
            simulation.onNodeFailure((name, role, cause) -> {
                if (!isPowerLoss(cause)) {
                    throw cause;
                }
                losses++;
                restart();
            });
            nodes.forEach(ClusterMachine::start);
            reach(() -> ClusterMachine.isServed(nodes));
            for (int i = 0; i < PAYERS; i++) {
                payers.add(new BankCaller(i, PAYERS, nodes, new SeededRandomness(seed + i), PAYMENTS, "Invoice"));
            }
        }

        private static boolean isPowerLoss(Throwable cause) {
            return cause != null && (cause instanceof SimulatedPowerLoss || isPowerLoss(cause.getCause()));
        }

        ClusterMachine victim() {
            return nodes.getFirst();
        }

        /** Loses the power at a call from now on, and at another one behind the next start. */
        void lose(long call, long callOfNext) {
            victim().disk().faults().powerLossAtCall(victim().disk().calls() + call);
            again = callOfNext;
        }

        private void restart() {
            victim().ended(true);
            if (again > 0) {
                victim().disk().faults().powerLossAtCall(victim().disk().calls() + again);
                again = 0;
            }
            try {
                victim().start();
            } catch (SimulatedPowerLoss | RuntimeException duringRecovery) {
                losses++;
                victim().ended(true);
                victim().start();
            }
        }

        /** Returns the number of calls of the disk. */
        long work() {
            long before = victim().disk().calls();
            payers.forEach(payer -> simulation.add("callers", payer));
            reach(() -> payers.stream().allMatch(BankCaller::isDone));
            return losses == 0 ? victim().disk().calls() - before : 0;
        }

        void check() {
            for (BankCaller payer : payers) {
                assertThat(balance(payer.account())).as("%s", payer).isEqualTo(-payer.paid());
                assertThat(payer.paid()).isEqualTo(PAYMENTS);
            }
        }

        private long balance(long account) {
            for (int i = 0; ; i++) {
                CompletableFuture<Reply> answer = nodes.get(i % 2).engine().callAsync("Balance", account);
                reach(answer::isDone);
                Reply reply = answer.join();
                if (reply.committed()) {
                    Rows rows = reply.rows();
                    assertThat(rows.next()).isTrue();
                    return rows.longAt(0);
                }
                assertThat(reply.error()).isIn(ErrorCode.MOVED, ErrorCode.PARTITION_UNAVAILABLE);
                simulation.runFor(2_000_000);
            }
        }

        private void reach(BooleanSupplier condition) {
            simulation.runUntil(condition, MOST_STEPS);
        }

        @Override
        public void close() {
            nodes.forEach(ClusterMachine::abandon);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepEachPaymentWhenTheHomeLosesItsPower(boolean onDemand) {
        Seeds.forEach(1, seed -> sweep(seed, onDemand, 521));
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepEachPaymentWhateverCallItIs(boolean onDemand) {
        Seeds.forEach(1, seed -> sweep(seed, onDemand, 1));
    }

    private static void sweep(long seed, boolean onDemand, int stride) {
        long calls = callsOf(seed, onDemand);
        int lost = 0;
        int points = 0;
        for (long call = 1L + Math.floorMod(seed, stride); call <= calls; call += stride) {
            try (World world = new World(seed, onDemand)) {
                world.lose(call, 1 + call * 31 % CALLS_OF_A_RECOVERY);
                world.work();
                world.check();
                lost += world.losses;
                points++;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", call " + call + " of " + calls + ": " + e, e);
            }
        }
        System.out.println("CallsCrashSweepTest: on demand " + onDemand + ", seed " + seed + ": " + points + " of "
                + calls + " calls, " + lost + " losses");
        assertThat(points).isPositive();
        assertThat(lost).isGreaterThan(points);
    }

    private static long callsOf(long seed, boolean onDemand) {
        try (World world = new World(seed, onDemand)) {
            long calls = world.work();
            world.check();
            world.victim().kill(false);
            assertThat(world.victim().payloads(RecordKind.CALLS)).isNotEmpty();
            return calls;
        }
    }
}
