package io.reprise.recovery.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OfflineChooserTest {
    private static final OfflineChooser.Costs COSTS = new OfflineChooser.Costs(1000, 0, 100, 0, 10, 0);
    private static final int[] BUCKET_1 = {1};

    /**
     * The closure of bucket 1 in the paper's figure 2 is t1, t2, t4, t6 and t7. With t2 and t7 as data it is t2, t4 and t7; figure 2 has
     * no better choice of two, since each of them cuts a command off and costs a tenth of one.
     */
    @Test
    void shouldCutFigure2WhereThePaperDoes() {
        OfflineChooser chooser = new OfflineChooser(BackwardPassTest.figure2(false, false), BUCKET_1, COSTS, 20);

        OfflineChooser.Plan exact = chooser.exact();
        OfflineChooser.Plan greedy = chooser.greedy();

        assertThat(chooser.none().recoveryNs()).isEqualTo(5000);
        assertThat(exact.recoveryNs()).isEqualTo(1200);
        assertThat(greedy.recoveryNs()).isEqualTo(1200);
        assertThat(greedy.bytes()).isEqualTo(20);
    }

    @Test
    void shouldStayNearTheOptimumAndWithinTheBudgetOfRandomHistories() {
        Seeds.forEach(20, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            OfflineChooser chooser = new OfflineChooser(history(random, 12), BUCKET_1, COSTS, 40);

            double none = chooser.none().recoveryNs();
            OfflineChooser.Plan exact = chooser.exact();
            OfflineChooser.Plan greedy = chooser.greedy();
            OfflineChooser.Plan chance = chooser.random(random);

            assertThat(greedy.bytes()).isLessThanOrEqualTo(40);
            assertThat(chance.bytes()).isLessThanOrEqualTo(40);
            assertThat(exact.recoveryNs())
                    .isLessThanOrEqualTo(greedy.recoveryNs())
                    .isLessThanOrEqualTo(chance.recoveryNs());
            assertThat(none - greedy.recoveryNs()).isGreaterThanOrEqualTo(0.5 * (none - exact.recoveryNs()));
        });
    }

    @Test
    void shouldRefuseAnExactSearchOfManyTransactions() {
        OfflineChooser chooser = new OfflineChooser(history(new SeededRandomness(1), 21), BUCKET_1, COSTS, 40);

        assertThatThrownBy(chooser::exact).hasMessageContaining("at most 20 commands, and the log has 21");
    }

    /** Transfers between rows of three buckets. */
    private static List<LoggedTransaction> history(SeededRandomness random, int length) {
        List<LoggedTransaction> history = new ArrayList<>();
        for (int id = 1; id <= length; id++) {
            LoggedTransaction transaction = new LoggedTransaction(id, false, null);
            for (int i = 0; i < 2; i++) {
                long row = (long) (1 + random.nextInt(3)) << 44 | 1 + random.nextInt(3);
                transaction.add(7, 1, row, 1, 1);
            }
            history.add(transaction);
        }
        return history;
    }
}
