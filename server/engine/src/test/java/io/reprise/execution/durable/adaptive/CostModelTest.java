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
