package io.reprise.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Missing and surplus rows in a database are noticed, whatever load it has. */
final class VictimCheckerTest {
    private static final long SEED = 11;
    private static final int STEPS = 60;

    private static Reprise open(VictimLoad load) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(64 << 20)
                .ddl(load.ddl())
                .open();
    }

    private static WriteCounts none(VictimLoad load) {
        return new WriteCounts(KilledDatabase.WRITERS, load.kinds().size());
    }

    /** Fills it and has all clients work. Returns what they were answered, some of each kind. */
    private static WriteCounts work(VictimLoad load, Reprise engine) {
        WriteCounts answered = new VictimChecker(load, engine).checkAndFill(false, none(load), none(load));
        for (int client = 0; client < KilledDatabase.CLIENTS; client++) {
            VictimLoad.Client calls = load.client(engine, client, SEED);
            for (int i = 0; i < STEPS; i++) {
                int kind = step(calls, answered.of(client));
                if (kind != VictimLoad.NOTHING) {
                    answered.add(client, kind, 1);
                }
            }
            assertThat(answered.of(client))
                    .as("client %d, seed %d", client, SEED)
                    .doesNotContain(0);
        }
        return answered;
    }

    private static int step(VictimLoad.Client calls, long[] written) {
        try {
            return calls.step(written);
        } catch (ProcedureException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.USER_ABORT);
            return VictimLoad.NOTHING;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tpcc", "smallbank", "transfers"})
    void shouldFindWhatWasAnsweredWhenNothingIsLost(String name) {
        VictimLoad load = Victim.load(name);
        try (Reprise engine = open(load)) {
            WriteCounts answered = work(load, engine);

            WriteCounts found = new VictimChecker(load, engine).checkAndFill(true, answered, answered);

            assertThat(found).hasToString(answered.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tpcc", "smallbank", "transfers"})
    void shouldRefuseAnEmptyDatabaseWhenItWasFilled(String name) {
        VictimLoad load = Victim.load(name);
        try (Reprise engine = open(load)) {
            VictimChecker checker = new VictimChecker(load, engine);

            assertThatThrownBy(() -> checker.checkAndFill(true, none(load), none(load)))
                    .hasMessageContaining("the database was filled, and is not any more");

            assertThat(load.isFilled(engine)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tpcc", "smallbank", "transfers"})
    void shouldRefuseAFullDatabaseWhenAWriteOfItIsMissing(String name) {
        VictimLoad load = Victim.load(name);
        try (Reprise engine = open(load)) {
            WriteCounts answered = work(load, engine);
            for (int client = 0; client < answered.clients(); client++) {
                for (int kind = 0; kind < load.kinds().size(); kind++) {
                    WriteCounts more = WriteCounts.parse(answered.toString());
                    more.add(client, kind, 1);

                    assertThatThrownBy(() -> new VictimChecker(load, engine).checkAndFill(true, more, more))
                            .hasMessageContaining("client " + client + " was answered");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tpcc", "smallbank", "transfers"})
    void shouldAllowOneWriteThatWasNotAnsweredAndNoSecondOne(String name) {
        VictimLoad load = Victim.load(name);
        try (Reprise engine = open(load)) {
            WriteCounts found = work(load, engine);
            int lastKind = load.kinds().size() - 1;
            WriteCounts answered = WriteCounts.parse(found.toString());
            answered.add(1, 0, -1);

            new VictimChecker(load, engine).checkAndFill(true, answered, answered);

            answered.add(1, lastKind, -1);
            assertThatThrownBy(() -> new VictimChecker(load, engine).checkAndFill(true, answered, answered))
                    .hasMessageContaining("client 1 was answered");
        }
    }

    /** In a sum one is as good as the other. */
    @ParameterizedTest
    @ValueSource(strings = {"tpcc", "smallbank", "transfers"})
    void shouldRefuseALostWriteThoughAnotherOneIsThereTwice(String name) {
        VictimLoad load = Victim.load(name);
        try (Reprise engine = open(load)) {
            WriteCounts ofOthers = work(load, engine);
            WriteCounts ofOtherKinds = WriteCounts.parse(ofOthers.toString());
            ofOthers.add(0, 0, 1);
            ofOthers.add(1, 0, -1);
            ofOtherKinds.add(2, 0, 1);
            ofOtherKinds.add(2, load.kinds().size() - 1, load.kinds().size() == 1 ? 0 : -1);

            assertThatThrownBy(() -> new VictimChecker(load, engine).checkAndFill(true, ofOthers, ofOthers))
                    .hasMessageContaining("client 0 was answered");
            assertThatThrownBy(() -> new VictimChecker(load, engine).checkAndFill(true, ofOtherKinds, ofOtherKinds))
                    .hasMessageContaining("client 2 was answered");
        }
    }
}
