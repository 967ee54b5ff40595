package io.reprise.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.reprise.workload.CallRecorder;
import io.reprise.workload.Placement;
import org.junit.jupiter.api.Test;

class TpccGeneratorTest {
    private static final int CALLS = 100_000;
    private static final TpccOptions STANDARD = TpccOptions.standard(8);

    @Test
    void shouldMixTransactionsAsSpecifiedWhenDrawn() {
        int[] counts = countProcedures(calls(STANDARD), CALLS);

        assertThat(share(counts, Tpcc.NEW_ORDER)).isCloseTo(45, within(1.0));
        assertThat(share(counts, Tpcc.PAYMENT)).isCloseTo(43, within(1.0));
        assertThat(share(counts, Tpcc.ORDER_STATUS)).isCloseTo(4, within(0.4));
        assertThat(share(counts, Tpcc.DELIVERY)).isCloseTo(4, within(0.4));
        assertThat(share(counts, Tpcc.STOCK_LEVEL)).isCloseTo(4, within(0.4));
    }

    @Test
    void shouldDealEachCardOnceWhenMixedByDeck() {
        CallRecorder calls = calls(STANDARD.withMix(TpccOptions.Mix.DECK));

        for (int round = 0; round < 100; round++) {
            assertThat(countProcedures(calls, 23)).containsExactly(10, 10, 1, 1, 1);
        }
    }

    @Test
    void shouldChooseRemoteLinesAndRollbacksAsSpecified() {
        CallRecorder calls = calls(STANDARD.withMix(TpccOptions.Mix.NEW_ORDER));
        long lines = 0;
        long remote = 0;
        int rollbacks = 0;
        for (int i = 0; i < CALLS; i++) {
            calls.next();
            int[] items = calls.intsAt(3);
            assertThat(items.length).isBetween(5, 15);
            assertThat(java.util.Arrays.stream(calls.intsAt(5)))
                    .allSatisfy(q -> assertThat(q).isBetween(1, 10));
            for (int supply : calls.intsAt(4)) {
                assertThat(supply).isBetween(1, 8);
                remote += supply != calls.intAt(0) ? 1 : 0;
            }
            lines += items.length;
            rollbacks += items[items.length - 1] == 100_001 ? 1 : 0;
        }

        assertThat(100.0 * remote / lines).isCloseTo(1, within(0.05));
        assertThat(100.0 * rollbacks / CALLS).isCloseTo(1, within(0.15));
        assertThat(1.0 * lines / CALLS).isCloseTo(10, within(0.05));
    }

    @Test
    void shouldChooseCustomersOfPaymentsAsSpecified() {
        CallRecorder calls = calls(STANDARD);
        int payments = 0;
        int remote = 0;
        int byName = 0;
        for (int i = 0; i < CALLS; i++) {
            if (calls.next() == Tpcc.PAYMENT) {
                payments++;
                assertThat(calls.intAt(2)).isBetween(100, 500_000);
                remote += calls.intAt(3) != calls.intAt(0) ? 1 : 0;
                byName += calls.intAt(5) == 0 ? 1 : 0;
                assertThat(calls.at(6) == null).isEqualTo(calls.intAt(5) != 0);
                assertThat(calls.intAt(5)).isBetween(0, 3_000);
            }
        }

        assertThat(100.0 * remote / payments).isCloseTo(15, within(0.7));
        assertThat(100.0 * byName / payments).isCloseTo(60, within(1.0));
    }

    @Test
    void shouldStayInItsPartitionWhenAskedFor() {
        CallRecorder calls = new CallRecorder(new Tpcc(STANDARD).generator(5, CallRecorder.evenAndOdd(), 1));
        for (int i = 0; i < 1_000; i++) {
            calls.next();
            assertThat(calls.intAt(0)).isIn(1, 3, 5, 7);
        }
    }

    @Test
    void shouldSpreadHomesAndSuppliersEvenlyWhenThereAreSeveralPartitions() {
        TpccOptions options = STANDARD.withMix(TpccOptions.Mix.NEW_ORDER).withRemote(20, 15);
        CallRecorder calls = new CallRecorder(new Tpcc(options).generator(5, CallRecorder.evenAndOdd(), 1));
        int[] homes = new int[9];
        int[] suppliers = new int[9];
        int lines = 0;
        int remote = 0;
        for (int i = 0; i < CALLS; i++) {
            calls.next();
            homes[calls.intAt(0)]++;
            for (int supply : calls.intsAt(4)) {
                lines++;
                if (supply != calls.intAt(0)) {
                    remote++;
                    suppliers[supply]++;
                }
            }
        }

        assertThat(100.0 * remote / lines).isCloseTo(20, within(0.5));
        for (int wId = 1; wId <= 8; wId++) {
            boolean here = wId % 2 == 1;
            assertThat(100.0 * homes[wId] / CALLS).isCloseTo(here ? 25 : 0, within(1.5));
            // Any other warehouse supplies: three quarters of calls have a given one of this partition as another.
            assertThat(100.0 * suppliers[wId] / remote).isCloseTo((here ? 0.75 : 1) * 100 / 7, within(0.7));
        }
    }

    @Test
    void shouldTakeOneLineFromAnotherPartitionWhenOrdersAreDistributed() {
        TpccOptions options = STANDARD.withMix(TpccOptions.Mix.NEW_ORDER).withDistributedOrders(20);
        CallRecorder calls = new CallRecorder(new Tpcc(options).generator(5, CallRecorder.evenAndOdd(), 0));
        int distributed = 0;
        for (int i = 0; i < CALLS; i++) {
            calls.next();
            int foreign = 0;
            for (int supply : calls.intsAt(4)) {
                foreign += supply % 2;
            }
            assertThat(foreign).isLessThanOrEqualTo(1);
            distributed += foreign;
        }

        assertThat(100.0 * distributed / CALLS).isCloseTo(20, within(0.6));
    }

    @Test
    void shouldRefuseDistributedOrdersWhenThereIsOnePartition() {
        Tpcc tpcc = new Tpcc(STANDARD.withDistributedOrders(20));

        assertThatThrownBy(() -> tpcc.generator(5, Placement.single(), 0)).hasMessageContaining("another partition");
    }

    private static CallRecorder calls(TpccOptions options) {
        return new CallRecorder(new Tpcc(options).generator(11, Placement.single(), -1));
    }

    private static int[] countProcedures(CallRecorder calls, int count) {
        int[] counts = new int[5];
        for (int i = 0; i < count; i++) {
            counts[calls.next()]++;
        }
        return counts;
    }

    private static double share(int[] counts, int procedure) {
        return 100.0 * counts[procedure] / CALLS;
    }
}
