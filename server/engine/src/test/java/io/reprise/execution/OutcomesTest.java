package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.Outcomes.Finding;
import io.reprise.execution.Result.Kind;
import io.reprise.id.TransactionId;
import io.reprise.procedure.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class OutcomesTest {
    private final Outcomes outcomes = new Outcomes();

    /** If all of them had one place, this would look at five thousand million. */
    @Test
    void shouldFindClientsWhoseIdsAreNotRandom() {
        int clients = 100_000;
        for (int i = 1; i <= clients; i++) {
            outcomes.remember((long) i << 32, 1, Kind.INTEGER, i, i);
        }

        for (int i = 1; i <= clients; i++) {
            assertThat(outcomes.find((long) i << 32, 1, 1)).isEqualTo(Finding.COMMITTED);
            assertThat(outcomes.foundWord()).isEqualTo(i);
        }
    }

    /** As with the second move of buckets from one partition to another. */
    @Test
    void shouldGiveOnlyClientsWithLaterCallsWhenTheOthersAreKnown() {
        outcomes.remember(1, 1, Kind.INTEGER, 10, 100);
        outcomes.remember(2, 1, Kind.INTEGER, 20, 101);
        outcomes.remember(3, 1, Kind.INTEGER, 30, 102);
        outcomes.remember(1, 2, Kind.INTEGER, 11, 103);
        List<byte[]> pieces = new ArrayList<>();

        outcomes.encode(101, 1 << 10, pieces::add);

        assertThat(pieces).hasSize(1);
        assertThat(clients(pieces.getFirst())).containsOnlyKeys(1L, 3L);
    }

    private static byte[] image(Outcomes of) {
        of.image().begin();
        return finish(of);
    }

    /** The rest of an image that has been begun. */
    private static byte[] finish(Outcomes of) {
        while (of.image().sweep()) {
            continue;
        }
        List<ByteBuffer> parts = of.image().end();
        ByteBuffer all = ByteBuffer.allocate(
                parts.stream().mapToInt(ByteBuffer::remaining).sum());
        parts.forEach(all::put);
        return all.array();
    }

    /** The content of an image for each client. */
    private static Map<Long, String> clients(byte[] image) {
        Map<Long, String> clients = new TreeMap<>();
        ByteBuffer from = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        while (from.hasRemaining()) {
            long id = from.getLong();
            StringBuilder text = new StringBuilder();
            text.append(from.getLong())
                    .append(' ')
                    .append(from.getLong())
                    .append(' ')
                    .append(from.getLong());
            for (int i = from.getInt(); i > 0; i--) {
                text.append(' ')
                        .append(from.getLong())
                        .append('=')
                        .append(from.get())
                        .append(',')
                        .append(from.getLong());
            }
            assertThat(clients.put(id, text.toString()))
                    .as("client %d is there twice", id)
                    .isNull();
        }
        return clients;
    }

    /** As an earlier version wrote it: each kind of result has the number that it had. */
    @Test
    void shouldKnowEachKindOfResultByTheNumberThatItAlwaysHad() {
        String golden = "0807060504030201" + "6400000000000000" + "0000000000000000" + "0600000000000000" + "06000000"
                + "0100000000000000" + "00" + "0000000000000000"
                + "0200000000000000" + "01" + "feffffffffffffff"
                + "0300000000000000" + "02" + "0100000000000000"
                + "0400000000000000" + "03" + "000000000000e03f"
                + "0500000000000000" + "04" + "0000000000000000"
                + "0600000000000000" + "05" + "0000000000000000";
        long client = 0x0102030405060708L;
        outcomes.remember(client, 1, Kind.NOTHING, 0, 95);
        outcomes.remember(client, 2, Kind.INTEGER, -2, 96);
        outcomes.remember(client, 3, Kind.BOOLEAN, 1, 97);
        outcomes.remember(client, 4, Kind.DOUBLE, Double.doubleToRawLongBits(0.5), 98);
        outcomes.remember(client, 5, Kind.STRING, 0, 99);
        outcomes.remember(client, 6, Kind.ROWS, 0, 100);

        assertThat(HexFormat.of().formatHex(image(outcomes))).isEqualTo(golden);

        Outcomes read = new Outcomes();
        read.decode(HexFormat.of().parseHex(golden));
        List<Kind> kinds = new ArrayList<>();
        for (int sequence = 1; sequence <= 6; sequence++) {
            assertThat(read.find(client, sequence, 1)).isEqualTo(Finding.COMMITTED);
            kinds.add(read.foundKind());
        }
        assertThat(kinds)
                .containsExactly(Kind.NOTHING, Kind.INTEGER, Kind.BOOLEAN, Kind.DOUBLE, Kind.STRING, Kind.ROWS);
    }

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
        loaded.decode(image(outcomes));
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

    /** The clock of a machine may be set; it once was put two hours forward between a call and its repetition. */
    @Test
    void shouldKnowACallWhenTheWallClockHasJumped() {
        long hourMicros = 3_600_000_000L;
        long nowMicros = 500_000 * hourMicros;
        long repeated = -7;
        outcomes.remember(repeated, 1, Kind.INTEGER, 42, TransactionId.of(nowMicros, 0));
        nowMicros += 2 * hourMicros;
        for (int client = 1; client <= 20_000; client++) {
            outcomes.remember(client, 1, Kind.NOTHING, 0, TransactionId.of(nowMicros + client, 0));
        }

        assertThat(outcomes.find(repeated, 1, 1)).isEqualTo(Finding.COMMITTED);
        assertThat(outcomes.foundWord()).isEqualTo(42);
        assertThat(outcomes.clients()).isEqualTo(20_001);
    }

    /** A clock that stands still, or was put back, gives transactions of one microsecond. */
    @Test
    void shouldKeepTheHalfThatCalledLastWhenTheWallClockStandsStill() {
        int clients = Outcomes.MOST_CLIENTS + 1;
        long id = TransactionId.of(1_700_000_000_000_000L, 0);
        for (int client = 1; client <= clients; client++) {
            outcomes.remember(client, 1, Kind.NOTHING, 0, id);
            id = TransactionId.next(id, 0, 0);
        }

        assertThat(outcomes.clients()).isEqualTo(Outcomes.MOST_CLIENTS / 2 + 1);
        assertThat(outcomes.find(Outcomes.MOST_CLIENTS / 2 + 1, 1, 1)).isEqualTo(Finding.COMMITTED);
        assertThat(outcomes.find(Outcomes.MOST_CLIENTS / 2, 1, 1)).isEqualTo(Finding.NEW);
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
            loaded.decode(image(one));
        }

        assertThat(loaded.clients()).isLessThanOrEqualTo(Outcomes.MOST_CLIENTS);
        assertThat(loaded.find(3L * Outcomes.MOST_CLIENTS / 2, 1, 1)).isEqualTo(Finding.COMMITTED);
    }

    @Test
    void shouldRefuseRatherThanRunTwiceWhenTooMuchIsUnconfirmed() {
        int clients = 300;
        fill(1, clients);

        assertThat(outcomes.find(1, 5, 1)).isEqualTo(Finding.FORGOTTEN);
        assertThat(outcomes.find(clients, 5, 1)).isEqualTo(Finding.COMMITTED);
    }

    @Test
    void shouldBeInAnImageWithTheSameBytesAsEver() {
        outcomes.remember(7, 3, Kind.INTEGER, -2, 1000);
        outcomes.remember(7, 5, Kind.ROWS, 0, 1001);
        outcomes.find(7, 6, 2);

        assertThat(HexFormat.of().formatHex(image(outcomes)))
                .isEqualTo(
                        "0700000000000000" + "e903000000000000" + "0200000000000000" + "0500000000000000" + "02000000"
                                + "0300000000000000" + "01" + "feffffffffffffff"
                                + "0500000000000000" + "05" + "0000000000000000");
    }

    @Test
    void shouldBeInAnImageAsItWasAtItsMoment() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Outcomes same = new Outcomes();
        Map<Long, String> expected = null;
        int clients = 10;
        for (int step = 0; step < 200_000; step++) {
            clients += random.nextInt(200) == 0 ? 1 : 0;
            long client = random.nextInt(clients);
            long sequence = 1L + step / clients;
            switch (random.nextInt(8)) {
                case 0 -> {
                    long confirmed = Math.max(1, sequence - random.nextInt(40));
                    assertThat(outcomes.find(client, sequence, confirmed))
                            .isEqualTo(same.find(client, sequence, confirmed));
                }
                case 1 -> {
                    outcomes.rememberFailed(client, sequence, ErrorCode.CONSTRAINT_VIOLATION, step);
                    same.rememberFailed(client, sequence, ErrorCode.CONSTRAINT_VIOLATION, step);
                }
                default -> {
                    outcomes.remember(client, sequence, Kind.INTEGER, step, step);
                    same.remember(client, sequence, Kind.INTEGER, step, step);
                }
            }
            if (expected == null && random.nextInt(1000) == 0) {
                expected = clients(image(same));
                outcomes.image().begin();
            } else if (expected != null
                    && random.nextInt(20) == 0
                    && (!outcomes.image().sweep() || random.nextInt(10) == 0)) {
                if (random.nextInt(5) == 0) {
                    outcomes.image().giveUp();
                } else {
                    assertThat(clients(finish(outcomes)))
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(expected);
                }
                expected = null;
            }
        }
    }

    @Test
    void shouldBeInAnImageThoughItIsForgottenMeanwhile() {
        fill(1, 250);
        Map<Long, String> expected = clients(image(outcomes));

        outcomes.image().begin();
        fill(251, 300);

        assertThat(outcomes.find(1, 5, 1)).isEqualTo(Finding.FORGOTTEN);
        assertThat(clients(finish(outcomes))).isEqualTo(expected);
    }

    private void fill(int firstClient, int lastClient) {
        for (int client = firstClient; client <= lastClient; client++) {
            for (long sequence = 1; sequence <= Outcomes.WINDOW; sequence++) {
                outcomes.remember(client, sequence, Kind.NOTHING, 0, client);
            }
        }
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
                        copy.decode(image(tested));
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
