package io.reprise.workload.smallbank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.reprise.workload.CallRecorder;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import org.junit.jupiter.api.Test;

class SmallbankGeneratorTest {
    private static final int CALLS = 100_000;

    @Test
    void shouldMixTransactionsWhenDrawn() {
        CallRecorder calls = calls(SmallbankOptions.uniform(1_000), Placement.single(), 0);
        int[] counts = new int[6];
        for (int i = 0; i < CALLS; i++) {
            counts[calls.next()]++;
        }

        for (int procedure = 0; procedure < 6; procedure++) {
            int share = procedure == Smallbank.SEND_PAYMENT ? 25 : 15;
            assertThat(100.0 * counts[procedure] / CALLS).isCloseTo(share, within(0.7));
        }
    }

    @Test
    void shouldPreferHotCustomersWhenThereIsAHotspot() {
        CallRecorder calls = calls(SmallbankOptions.uniform(1_000).withHotspot(10, 90), Placement.single(), 0);
        int hot = 0;
        for (int i = 0; i < CALLS; i++) {
            calls.next();
            hot += calls.intAt(0) < 10 ? 1 : 0;
        }

        assertThat(100.0 * hot / CALLS).isCloseTo(90.1, within(0.5));
    }

    @Test
    void shouldDistributeTheGivenShareWhenTwoCustomersTakePart() {
        CallRecorder calls = calls(SmallbankOptions.uniform(1_000).withDistributed(50), CallRecorder.evenAndOdd(), 1);
        int two = 0;
        int distributed = 0;
        for (int i = 0; i < CALLS; i++) {
            int procedure = calls.next();
            assertThat(calls.intAt(0) % 2).isEqualTo(1);
            if (procedure == Smallbank.AMALGAMATE || procedure == Smallbank.SEND_PAYMENT) {
                two++;
                assertThat(calls.intAt(1)).isNotEqualTo(calls.intAt(0));
                distributed += calls.intAt(1) % 2 == 0 ? 1 : 0;
            }
        }

        assertThat(100.0 * distributed / two).isCloseTo(50, within(1.5));
    }

    @Test
    void shouldCountOnlyCommittedMoneyWhenCallsEnd() {
        Generator generator = new Smallbank(SmallbankOptions.uniform(10)).generator(1, Placement.single(), 0);

        generator.completed(Smallbank.DEPOSIT_CHECKING, true, 500);
        generator.completed(Smallbank.WRITE_CHECK, true, -200);
        generator.completed(Smallbank.TRANSACT_SAVINGS, false, 70);
        generator.completed(Smallbank.BALANCE, true, 9_999);

        assertThat(((SmallbankGenerator) generator).paidIn()).isEqualTo(300);
    }

    @Test
    void shouldRefuseWhenAPartitionHasNoCustomers() {
        Smallbank bank = new Smallbank(SmallbankOptions.uniform(3));

        assertThatThrownBy(() -> bank.generator(1, CallRecorder.evenAndOdd(), 0))
                .hasMessageContaining("partition 1 has fewer than two customers");
    }

    @Test
    void shouldRefuseWhenAllAreHotAndAPartitionHasNoneOfThem() {
        Smallbank bank = new Smallbank(SmallbankOptions.uniform(100).withHotspot(2, 100));

        assertThatThrownBy(() -> bank.generator(1, CallRecorder.evenAndOdd(), 0))
                .hasMessageContaining("fewer than two customers");
    }

    private static CallRecorder calls(SmallbankOptions options, Placement placement, int partition) {
        return new CallRecorder(new Smallbank(options).generator(3, placement, partition));
    }
}
