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
    private static final int BOUNDARY_BYTES = 120;

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
        LoggedForm form = chooser.atOnce(version, false, false, id);
        if (form == null) {
            form = chooser.isCandidate(version, false, false)
                    ? chooser.choose(version, false, false, chooser.frequency(buffer, mark), 0, nowNs)
                    : LoggedForm.COMMAND;
        }
        boolean data = form == LoggedForm.DATA;
        buffer.commit(id << 12, version, false, false, data);
        id++;
        chooser.logged(version, false, form, data ? DATA_BYTES : COMMAND_BYTES, EXECUTION_NS);
        pass(advisor);
        return data;
    }

    private void pass(LoggingAdvisor advisor) {
        for (FootprintChunk chunk = buffer.poll(); chunk != null; chunk = buffer.poll()) {
            advisor.observe(chunk);
            buffer.giveBack(chunk);
        }
    }

    /**
     * Runs a transaction that reads and writes a row elsewhere, of the chain of all such transactions, and one at home.
     *
     * @param chainAtHome whether that at home is always the same, too
     */
    private LoggedForm runDistributed(LoggingAdvisor advisor, LoggingChooser chooser, boolean chainAtHome) {
        int version = chainAtHome ? COUNTER : NEW_ROWS;
        LoggedForm form = chooser.atOnce(version, true, true, id);
        if (form == null) {
            form = chooser.isCandidate(version, true, true)
                    ? chooser.choose(version, true, true, 0, 0, nowNs)
                    : LoggedForm.COMMAND;
        }
        buffer.turnOn();
        for (boolean elsewhere : new boolean[] {false, true}) {
            long row = elsewhere ? 7 : chainAtHome ? 8 : 1000 + id;
            boolean data = form == LoggedForm.DATA || elsewhere && form == LoggedForm.BOUNDARY;
            buffer.begin();
            if (!data && (elsewhere || chainAtHome)) {
                buffer.touch(buffer.access(TABLE, 0, 1, 0), row);
            }
            buffer.touch(buffer.access(TABLE, 1, 1, 1), row);
            buffer.commit(id << 12, version, true, elsewhere, data);
        }
        id++;
        int bytes = switch (form) {
            case COMMAND -> COMMAND_BYTES;
            case BOUNDARY -> BOUNDARY_BYTES;
            case DATA -> DATA_BYTES;
        };
        chooser.logged(version, true, form, bytes, EXECUTION_NS);
        pass(advisor);
        return form;
    }

    @Test
    void shouldCutWhereTheChainIsElsewhereAndLogDataWhereItIsAtHomeToo() {
        for (boolean chainAtHome : new boolean[] {false, true}) {
            LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.within(1 << 24), CostModel.DEFAULTS);
            LoggingChooser chooser = advisor.chooser();
            int[] counts = new int[LoggedForm.values().length];

            for (int i = 0; i < 4_000; i++) {
                counts[runDistributed(advisor, chooser, chainAtHome).ordinal()]++;
                if (i % 20 == 0) {
                    second(advisor);
                }
            }

            LoggedForm expected = chainAtHome ? LoggedForm.DATA : LoggedForm.BOUNDARY;
            LoggedForm other = chainAtHome ? LoggedForm.BOUNDARY : LoggedForm.DATA;
            assertThat(counts[expected.ordinal()])
                    .as("chain at home: %s", chainAtHome)
                    .isGreaterThan(300);
            assertThat(counts[other.ordinal()])
                    .as("chain at home: %s", chainAtHome)
                    .isLessThan(counts[expected.ordinal()] / 10);
            LoggingStats stats = advisor.stats(chainAtHome ? COUNTER : NEW_ROWS, true);
            assertThat(stats.boundaries()).isEqualTo(counts[LoggedForm.BOUNDARY.ordinal()]);
            assertThat(stats.boundaryBytes()).isEqualTo(BOUNDARY_BYTES);
        }
    }

    /** Runs calls over nodes at their home; they read and write a row of the chain of all of them, or a new one. Returns whether rows are logged. */
    private boolean runPart(LoggingAdvisor advisor, LoggingChooser chooser, boolean chain, int rowBytes) {
        int version = chain ? COUNTER : NEW_ROWS;
        long row = chain ? 8 : 1000 + id;
        buffer.turnOn();
        buffer.begin();
        if (chain) {
            buffer.touch(buffer.access(TABLE, 0, 1, 0), row);
        }
        boolean rows = chooser.prefersRows(version, id, BOUNDARY_BYTES, rowBytes, () -> 0, nowNs);
        if (rows) {
            buffer.forget();
        }
        buffer.touch(buffer.access(TABLE, 1, chain ? 1 : 0, 1), row);
        buffer.advise(id << 12, version, false, rows);
        id++;
        chooser.loggedPart(
                version, rows, rows ? rowBytes : BOUNDARY_BYTES, Math.max(0, rowBytes - BOUNDARY_BYTES), EXECUTION_NS);
        pass(advisor);
        return rows;
    }

    private int rowsOf(AdaptiveSettings settings, boolean chain) {
        LoggingAdvisor advisor = new LoggingAdvisor(settings, CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        int rows = 0;
        for (int i = 0; i < 4_000; i++) {
            rows += runPart(advisor, chooser, chain, DATA_BYTES) ? 1 : 0;
            if (i % 20 == 0) {
                second(advisor);
            }
        }
        assertThat(advisor.stats(chain ? COUNTER : NEW_ROWS, true).data()).isEqualTo(rows);
        return rows;
    }

    @Test
    void shouldLogTheRowsOfCallsOverNodesWhereTheirChainAtHomeIsLong() {
        assertThat(rowsOf(AdaptiveSettings.within(1 << 24), true)).isGreaterThan(300);
        assertThat(rowsOf(AdaptiveSettings.within(1 << 24), false)).isZero();
    }

    @Test
    void shouldLogCallsOverNodesWithTheirAnswersWhenTheBudgetIsUsedUp() {
        int much = rowsOf(AdaptiveSettings.within(1 << 24), true);
        int little = rowsOf(AdaptiveSettings.within(DATA_BYTES - BOUNDARY_BYTES), true);

        assertThat(rowsOf(AdaptiveSettings.within(0), true)).isZero();
        assertThat(little).isBetween(1, much - 1);
    }

    @Test
    void shouldLogRowsThatAreShorterThanTheirCalls() {
        LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.within(0), CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();

        assertThat(runPart(advisor, chooser, false, BOUNDARY_BYTES - 1)).isTrue();
        assertThat(chooser.spent()).isZero();
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
    void shouldCutNothingByTheRulesOfExperiments() {
        AdaptiveSettings settings =
                new AdaptiveSettings(Quota.even(1 << 24), AdaptiveSettings.Choice.COST_DISTRIBUTED, 0);
        LoggingAdvisor advisor = new LoggingAdvisor(settings, CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        int data = 0;

        for (int i = 0; i < 2_000; i++) {
            LoggedForm form = runDistributed(advisor, chooser, false);
            assertThat(form).isNotEqualTo(LoggedForm.BOUNDARY);
            data += form == LoggedForm.DATA ? 1 : 0;
            if (i % 20 == 0) {
                second(advisor);
            }
        }

        assertThat(data).isGreaterThan(100);
    }

    @Test
    void shouldChooseByChanceAmongDistributedTransactionsOnly() {
        LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.randomDistributed(0.25), CostModel.DEFAULTS);
        LoggingChooser chooser = advisor.chooser();
        int data = 0;

        for (int i = 0; i < 10_000; i++) {
            assertThat(chooser.atOnce(COUNTER, false, false, i)).isEqualTo(LoggedForm.COMMAND);
            LoggedForm form = chooser.atOnce(COUNTER, true, true, i);
            assertThat(form).isNotEqualTo(LoggedForm.BOUNDARY);
            data += form == LoggedForm.DATA ? 1 : 0;
        }

        assertThat(data).isBetween(2300, 2700);
    }
}
