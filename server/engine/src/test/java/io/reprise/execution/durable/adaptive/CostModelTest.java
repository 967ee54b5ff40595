package io.reprise.execution.durable.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Equations 1 to 3, the threshold and the quota of the paper "Adaptive Logging", computed by hand. */
final class CostModelTest {
    private static final CostModel MODEL = new CostModel(0.5, 100, 2);

    @Test
    void shouldPriceCommandsByTheirExecutionAndDataRecordsByTheirBytes() {
        assertThat(MODEL.commandNs(3000)).isEqualTo(1500);
        assertThat(MODEL.dataNs(200)).isEqualTo(500);
    }

    /** Three commands of 1,500 ns precede; rows that each fourth transaction writes: 4500 - 0.25 * 1500 - 500 over 200 bytes. */
    @Test
    void shouldSubtractLaterWritersAndTheDataRecordFromTheChain() {
        double later = CostModel.laterNs(0.25, 1500);

        assertThat(later).isEqualTo(375);
        assertThat(CostModel.benefit(4500, 0, 500, 200)).as("equation 1").isEqualTo(20);
        assertThat(CostModel.benefit(4500, later, 500, 200)).as("equation 2").isEqualTo(18.125);
    }

    /** 1,000 transactions of 1,500 ns write two rows each: (1000 * 1500 * 2 - 500) / 250. */
    @Test
    void shouldExpectTheBestBenefitOfAFailureAtOnce() {
        assertThat(CostModel.bestBenefit(1000, 1500, 2, 500, 250)).isEqualTo(11998);
    }

    /** At 2 ns a byte: (20 - 2) * 200 against (50 - 2) * 60 and (50 - 2) * 100. */
    @Test
    void shouldPayForBytesByTheThreshold() {
        assertThat(CostModel.surplus(20, 2, 200)).isEqualTo(3600);
        assertThat(CostModel.surplus(50, 2, 60)).isEqualTo(2880);
        assertThat(CostModel.surplus(50, 2, 100)).isEqualTo(4800);
        assertThat(CostModel.surplus(1, 2, 100)).isEqualTo(-100);
    }

    /**
     * Chains of 1,000 ns at home and 6,000 ns elsewhere; data 500 ns for 200 bytes, the boundary record 300 ns for 50. The command before
     * takes 2,000 ns.
     *
     * <pre>
     *  saved:           data 7000 - 2000 f - 500         boundary 6000 - 2000 e - 300
     *  price  0, f = 0    e = 0      6500                           5700      data
     *  price  4, f = 0    e = 0      6500 -  800 = 5700             5700 - 200 = 5500      data
     *  price  6, f = 0    e = 0      6500 - 1200 = 5300             5700 - 300 = 5400      boundary
     *  price 40, f = 0    e = 0      6500 - 8000 < 0                5700 - 2000 = 3700     boundary
     *  price  0, f = 1    e = 0.2    4500                           5300      boundary
     *  price  0, f = 3.1  e = 2.8     300                            100      data
     *  price  0, f = 4    e = 3                    < 0                    < 0      command
     *  price 120                     6500 - 24000 < 0               5700 - 6000 < 0        command
     * </pre>
     */
    @Test
    void shouldChooseTheFormWithTheLargestSurplus() {
        assertThat(best(0, true, 0, 0)).isEqualTo(LoggedForm.DATA);
        assertThat(best(4, true, 0, 0)).isEqualTo(LoggedForm.DATA);
        assertThat(best(6, true, 0, 0)).isEqualTo(LoggedForm.BOUNDARY);
        assertThat(best(40, true, 0, 0)).isEqualTo(LoggedForm.BOUNDARY);
        assertThat(best(0, true, 1, 0.2)).isEqualTo(LoggedForm.BOUNDARY);
        assertThat(best(0, true, 3.1, 2.8)).isEqualTo(LoggedForm.DATA);
        assertThat(best(0, true, 4, 3)).isEqualTo(LoggedForm.COMMAND);
        assertThat(best(120, true, 0, 0)).isEqualTo(LoggedForm.COMMAND);
        assertThat(best(6, false, 0, 0)).as("no boundary record is possible").isEqualTo(LoggedForm.DATA);
        assertThat(best(40, false, 0, 0)).isEqualTo(LoggedForm.COMMAND);
    }

    private static LoggedForm best(double price, boolean cuts, double frequency, double frequencyElsewhere) {
        LoggingTables.Costs costs = new LoggingTables.Costs(1000, 6000, 500, 200, 300, 50);
        LoggingTables tables = new LoggingTables(
                new LoggingTables.Costs[] {costs}, new float[LoggingTables.CELLS], 2000, price, new double[] {1});
        return tables.best(0, cuts, frequency, frequencyElsewhere);
    }

    @Test
    void shouldChooseNoFormOfUnknownSize() {
        double unknown = LoggingTables.Costs.UNKNOWN;
        LoggingTables.Costs costs = new LoggingTables.Costs(1000, 6000, 500, unknown, 300, unknown);
        LoggingTables tables = new LoggingTables(
                new LoggingTables.Costs[] {costs}, new float[LoggingTables.CELLS], 2000, 0, new double[] {1});

        assertThat(tables.best(0, true, 0, 0)).isEqualTo(LoggedForm.COMMAND);
    }

    @Test
    void shouldSpreadAPeriodsBudgetByEachSchedule() {
        Quota even = new Quota(100, Quota.Schedule.EVEN, 10, 4);
        Quota exponential = new Quota(100, Quota.Schedule.EXPONENTIAL, 10, 4);
        Quota poisson = new Quota(100, Quota.Schedule.POISSON, 10, 4);

        assertThat(even.bytes(5)).isEqualTo(500);
        // 1000 * (1 - e^-1) / (1 - e^-2.5)
        assertThat(exponential.bytes(4)).isCloseTo(688.6482, within(0.001));
        // 1000 * e^-4 * (1 + 4 + 8 + 32/3 + 32/3)
        assertThat(poisson.bytes(4)).isCloseTo(628.8369, within(0.001));
        for (Quota quota : new Quota[] {even, exponential, poisson}) {
            assertThat(quota.bytes(20)).as("two periods").isBetween(2000.0, 2000.0 + 1000 * Math.exp(-4) + 0.001);
        }
    }

    @Test
    void shouldComputeAPoissonQuotaWithALargeMean() {
        Quota quota = new Quota(1, Quota.Schedule.POISSON, 4000, 2000);

        assertThat(quota.bytes(1800)).isLessThan(1);
        assertThat(quota.bytes(2200)).isGreaterThan(3990);
    }
}
