package io.reprise.execution.durable.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintChunk;
import org.junit.jupiter.api.Test;

final class LoggingChooserTest {
    private static final int COUNTER = 1;
    private static final int NEW_ROWS = 2;
    private static final int TABLE = 3;
    private static final int EXECUTION_NS = 10_000;
    private static final int COMMAND_BYTES = 50;
    private static final int DATA_BYTES = 250;

    private final FootprintBuffer buffer = new FootprintBuffer(new FootprintBuffer.Settings(2, 1 << 12, 128, 1));
    private long id = 1;
    private long nowNs = 1;

    /** Runs a transaction as the gate does; returns whether it was logged as data. */
    private boolean run(LoggingAdvisor advisor, LoggingChooser chooser, int version, long row) {
        buffer.turnOn();
        buffer.begin();
        if (version == COUNTER) {
            buffer.touch(buffer.access(TABLE, 0, 1, 0), row);
        }
        int mark = buffer.mark();
        buffer.touch(buffer.access(TABLE, 1, version == COUNTER ? 1 : 0, 1), row);
        boolean data = chooser.isDataAtOnce(version, false, id);
        if (!data && chooser.isCandidate(version, false)) {
            data = chooser.isData(version, false, chooser.frequency(buffer, mark), nowNs);
        }
        buffer.commit(id << 12, version, false, data);
        id++;
        chooser.logged(version, false, data, data ? DATA_BYTES : COMMAND_BYTES, EXECUTION_NS);
        for (FootprintChunk chunk = buffer.poll(); chunk != null; chunk = buffer.poll()) {
            advisor.observe(chunk);
            buffer.giveBack(chunk);
        }
        return data;
    }

    private void second(LoggingAdvisor advisor) {
        nowNs += 1_000_000_000;
        advisor.doWork(nowNs);
    }

    @Test
    void shouldLogTheProcedureWithLongChainsAsData() {
        LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.within(1 << 20), CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        int counters = 0;
        int inserts = 0;

        for (int i = 0; i < 20_000; i++) {
            // A hundred chains of counters; each inserted row is new.
            counters += run(advisor, chooser, COUNTER, i % 100) ? 1 : 0;
            inserts += run(advisor, chooser, NEW_ROWS, 1000 + i) ? 1 : 0;
            if (i % 100 == 0) {
                second(advisor);
            }
        }

        assertThat(counters).isGreaterThan(5_000);
        assertThat(inserts).as("a look at its size now and then").isLessThan(10);
        assertThat(advisor.stats(COUNTER, false).chainNs()).isGreaterThan(0);
        assertThat(advisor.stats(NEW_ROWS, false).chainNs()).isZero();
        assertThat(advisor.stats(NEW_ROWS, false).benefit()).isNegative();
    }

    @Test
    void shouldForgetChainsAtASnapshot() {
        LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.within(0), CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        run(advisor, chooser, COUNTER, 1);
        second(advisor);
        for (int i = 0; i < 1000; i++) {
            run(advisor, chooser, COUNTER, 1);
        }
        second(advisor);
        double before = advisor.stats(COUNTER, false).chainNs();

        advisor.snapshotBegan(77);
        for (int i = 0; i < 300; i++) {
            run(advisor, chooser, COUNTER, 5 + i);
        }
        second(advisor);

        assertThat(before).isGreaterThan(100.0 * EXECUTION_NS);
        assertThat(advisor.stats(COUNTER, false).chainNs()).isLessThan(before / 10);
    }

    /** Load of one to nine times the budget, changing each ten seconds. */
    @Test
    void shouldKeepTheBudgetWithinATenthWhileTheLoadChanges() {
        long budget = 100_000;
        LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.within(budget), CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        long warm = 0;

        for (int tenths = 0; tenths < 1100; tenths++) {
            int perTenth = tenths / 100 % 2 == 0 ? 450 : 100;
            for (int i = 0; i < perTenth; i++) {
                nowNs += 100_000_000 / perTenth;
                run(advisor, chooser, COUNTER, i % 50);
            }
            advisor.doWork(nowNs);
            if (tenths == 99) {
                warm = advisor.spent();
            }
        }

        assertThat(advisor.spent() - warm).isBetween(90 * budget, 110 * budget);
    }

    @Test
    void shouldChooseByChanceWhenToldSo() {
        LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.random(0.25), CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        int data = 0;

        for (int i = 0; i < 10_000; i++) {
            data += run(advisor, chooser, COUNTER, i) ? 1 : 0;
        }

        assertThat(data).isBetween(2300, 2700);
    }

    @Test
    void shouldChooseByChanceAmongDistributedTransactionsOnly() {
        LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.randomDistributed(0.25), CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        int data = 0;

        for (int i = 0; i < 10_000; i++) {
            assertThat(chooser.isDataAtOnce(COUNTER, false, i)).isFalse();
            data += chooser.isDataAtOnce(COUNTER, true, i) ? 1 : 0;
        }

        assertThat(data).isBetween(2300, 2700);
    }
}
