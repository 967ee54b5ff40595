package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.Outcomes.Finding;
import io.reprise.execution.Result.Kind;
import io.reprise.procedure.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class OutcomesTest {
    private final Outcomes outcomes = new Outcomes();

    @Test
    void shouldFindWhatItRemembers() {
        outcomes.remember(7, 1, Kind.INTEGER, -5, 100);

        assertThat(outcomes.find(7, 1, 1)).isEqualTo(Finding.COMMITTED);
        assertThat(outcomes.foundKind()).isEqualTo(Kind.INTEGER);
        assertThat(outcomes.foundWord()).isEqualTo(-5);
        assertThat(outcomes.find(7, 2, 1)).isEqualTo(Finding.NEW);
        assertThat(outcomes.find(8, 1, 1)).isEqualTo(Finding.NEW);
    }

    @Test
    void shouldFindWhatFailedOrWroteNothingButNotInASnapshot() {
        outcomes.remember(7, 1, Kind.INTEGER, 11, 100);
        outcomes.rememberFailed(7, 2, ErrorCode.CONSTRAINT_VIOLATION, 100);
        outcomes.rememberUnwritten(7, 3, Kind.DOUBLE, 13, 100);

        assertThat(outcomes.find(7, 2, 1)).isEqualTo(Finding.FAILED);
        assertThat(outcomes.foundError()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
        assertThat(outcomes.find(7, 3, 1)).isEqualTo(Finding.COMMITTED);
        assertThat(outcomes.foundKind()).isEqualTo(Kind.DOUBLE);
        assertThat(outcomes.foundWord()).isEqualTo(13);
        Outcomes loaded = new Outcomes();
        loaded.decode(outcomes.encode());
        assertThat(loaded.find(7, 1, 1)).isEqualTo(Finding.COMMITTED);
        assertThat(loaded.foundWord()).isEqualTo(11);
        assertThat(loaded.find(7, 2, 1)).isEqualTo(Finding.NEW);
        assertThat(loaded.find(7, 3, 1)).isEqualTo(Finding.NEW);
    }

    @Test
    void shouldKnowNothingOfWhatTheClientHasConfirmed() {
        outcomes.remember(7, 1, Kind.NOTHING, 0, 100);

        assertThat(outcomes.find(7, 2, 2)).isEqualTo(Finding.NEW);
        assertThat(outcomes.find(7, 1, 1)).isEqualTo(Finding.FORGOTTEN);
    }

    @Test
    void shouldNotRunAgainWhatIsBehindTheWindow() {
        outcomes.remember(7, 1, Kind.NOTHING, 0, 100);
        outcomes.remember(7, 1 + Outcomes.WINDOW, Kind.NOTHING, 0, 100);

        assertThat(outcomes.find(7, 1, 1)).isEqualTo(Finding.FORGOTTEN);
        assertThat(outcomes.find(7, 2, 1)).isEqualTo(Finding.NEW);
    }

    @Test
    void shouldKeepWhatIsUnconfirmedOverTheWholeWindow() {
        for (long sequence = 1; sequence <= Outcomes.WINDOW; sequence++) {
            outcomes.remember(7, sequence, Kind.INTEGER, sequence * 3, 100);
        }

        for (long sequence = 1; sequence <= Outcomes.WINDOW; sequence++) {
            assertThat(outcomes.find(7, sequence, 1)).isEqualTo(Finding.COMMITTED);
            assertThat(outcomes.foundWord()).isEqualTo(sequence * 3);
        }
    }

    @Test
    void shouldForgetClientsThatWereSilentForLongWhenThereAreMany() {
        for (int client = 1; client <= 20_000; client++) {
            outcomes.remember(client, 1, Kind.NOTHING, 0, client * 1_000_000L);
        }

        assertThat(outcomes.clients()).isLessThan(20_000);
        assertThat(outcomes.find(20_000 - 3_000, 1, 1)).isEqualTo(Finding.COMMITTED);
    }

    @Test
    void shouldKnowABoundedNumberOfClientsWithoutLookingForRoomAtEachCall() {
        int clients = 2 * Outcomes.MOST_CLIENTS;
        Random ids = new Random(1);
        long faithful = ids.nextLong();
        long[] last = new long[Outcomes.MOST_CLIENTS / 4];
        int most = 0;
        for (int i = 0; i < clients; i++) {
            last[i % last.length] = ids.nextLong();
            outcomes.remember(last[i % last.length], 1, Kind.INTEGER, i, i);
            outcomes.remember(faithful, 1 + i / 1000, Kind.INTEGER, i / 1000, i);
            most = Math.max(most, outcomes.clients());
        }

        assertThat(most).isEqualTo(Outcomes.MOST_CLIENTS);
        assertThat(outcomes.lookedAt()).isLessThan(20L * clients);
        for (int i = 0; i < clients / 1000; i++) {
            assertThat(outcomes.find(faithful, 1 + i, 1)).isEqualTo(Finding.COMMITTED);
            assertThat(outcomes.foundWord()).isEqualTo(i);
        }
        for (long client : last) {
            assertThat(outcomes.find(client, 1, 1)).isEqualTo(Finding.COMMITTED);
        }
    }

    @Test
    void shouldNotLookForRoomAtEachCallWhenManyClientsHaveMuchUnconfirmed() {
        int clients = 150_000;
        int each = 33;
        for (long sequence = 1; sequence <= each; sequence++) {
            for (int client = 1; client <= clients; client++) {
                outcomes.remember(client, sequence, Kind.NOTHING, 0, sequence * clients + client);
            }
        }

        assertThat(outcomes.lookedAt()).isLessThan(5L * clients * each);
        assertThat(outcomes.find(clients, each, 1)).isEqualTo(Finding.COMMITTED);
    }

    @Test
    void shouldKnowABoundedNumberOfClientsAfterSnapshotsOfSeveralPartitions() {
        Outcomes loaded = new Outcomes();
        for (int partition = 0; partition < 3; partition++) {
            Outcomes one = new Outcomes();
            for (int i = 0; i < Outcomes.MOST_CLIENTS / 2; i++) {
                one.remember(1 + 3L * i + partition, 1, Kind.NOTHING, 0, 1 + 3L * i + partition);
            }
            loaded.decode(one.encode());
        }

        assertThat(loaded.clients()).isLessThanOrEqualTo(Outcomes.MOST_CLIENTS);
        assertThat(loaded.find(3L * Outcomes.MOST_CLIENTS / 2, 1, 1)).isEqualTo(Finding.COMMITTED);
    }

    @Test
    void shouldRefuseRatherThanRunTwiceWhenTooMuchIsUnconfirmed() {
        int clients = 300;
        for (int client = 1; client <= clients; client++) {
            for (long sequence = 1; sequence <= Outcomes.WINDOW; sequence++) {
                outcomes.remember(client, sequence, Kind.NOTHING, 0, client);
            }
        }

        assertThat(outcomes.find(1, 5, 1)).isEqualTo(Finding.FORGOTTEN);
        assertThat(outcomes.find(clients, 5, 1)).isEqualTo(Finding.COMMITTED);
    }

    @Test
    void shouldAnswerAsAModelDoesAlsoAfterASnapshot() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Outcomes tested = new Outcomes();
        Map<Long, Long> model = new HashMap<>();
        long[] next = {1, 1, 1, 1};
        long[] confirmed = {1, 1, 1, 1};
        for (int step = 0; step < 50_000; step++) {
            int client = random.nextInt(next.length);
            switch (random.nextInt(12)) {
                case 0 -> confirmed[client] += random.nextInt((int) (next[client] - confirmed[client]) + 1);
                case 1 -> {
                    if (random.nextInt(200) == 0) {
                        Outcomes copy = new Outcomes();
                        copy.decode(tested.encode());
                        tested = copy;
                    }
                }
                case 2, 3, 4 -> {
                    if (next[client] > confirmed[client]) {
                        long sequence = confirmed[client] + random.nextInt((int) (next[client] - confirmed[client]));
                        Long expected = model.get(client * 1_000_000L + sequence);
                        Finding found = tested.find(client + 1, sequence, confirmed[client]);
                        assertThat(found)
                                .as("seed %d, step %d", seed, step)
                                .isEqualTo(expected == null ? Finding.NEW : Finding.COMMITTED);
                        if (expected != null) {
                            assertThat(tested.foundWord()).isEqualTo(expected);
                        }
                    }
                }
                default -> {
                    long sequence = next[client]++;
                    if (random.nextInt(3) > 0 && sequence - confirmed[client] < Outcomes.WINDOW) {
                        tested.remember(client + 1, sequence, Kind.INTEGER, step, step);
                        model.put(client * 1_000_000L + sequence, (long) step);
                    }
                }
            }
        }
    }
}
