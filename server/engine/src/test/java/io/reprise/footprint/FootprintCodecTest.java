package io.reprise.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Footprints from raw words to bytes and back. */
final class FootprintCodecTest {
    private static final FootprintBuffer.Settings SMALL = new FootprintBuffer.Settings(2, 256, 64, 1 << 20);

    private final FootprintBuffer buffer = new FootprintBuffer(SMALL);
    private final FootprintEncoder encoder = new FootprintEncoder();
    private final FootprintReader reader = new FootprintReader();

    FootprintCodecTest() {
        buffer.turnOn();
    }

    private static long row(int bucket, long number) {
        return FootprintFormat.row(bucket, number);
    }

    private byte[] encoded() {
        buffer.passOn();
        FootprintChunk chunk = buffer.poll();
        byte[] bytes = Arrays.copyOf(new byte[0], encoder.encode(7, chunk));
        System.arraycopy(encoder.bytes(), 0, bytes, 0, bytes.length);
        buffer.giveBack(chunk);
        return bytes;
    }

    private List<String> decoded(byte[] bytes) {
        reader.over(bytes);
        List<String> all = new ArrayList<>();
        while (reader.next()) {
            all.add(text(reader.footprint()));
        }
        return all;
    }

    private static String text(Footprint footprint) {
        StringBuilder text = new StringBuilder().append(footprint.transactionId());
        if (footprint.isCoarse()) {
            return text.append(" coarse").toString();
        }
        for (int i = 0; i < footprint.size(); i++) {
            text.append(' ')
                    .append(footprint.table(i))
                    .append('/')
                    .append(footprint.flags(i))
                    .append('/')
                    .append(Long.toHexString(footprint.read(i)))
                    .append('/')
                    .append(Long.toHexString(footprint.written(i)))
                    .append('@')
                    .append(FootprintFormat.bucket(footprint.row(i)))
                    .append('#')
                    .append(FootprintFormat.number(footprint.row(i)));
        }
        return text.toString();
    }

    @Test
    void shouldUniteAccessesToARow() {
        buffer.begin();
        buffer.touch(buffer.access(3, 0, 0b0001, 0), row(5, 9));
        buffer.touch(buffer.access(3, 0, 0b0100, 0), row(5, 9));
        buffer.touch(buffer.access(3, AccessTable.UPDATE, 0b1000, 0b1000), row(5, 9));
        buffer.touch(buffer.access(3, 0, 0b0001, 0), row(5, 8));
        buffer.commit(4096, 0, false, false, false);

        assertThat(decoded(encoded())).containsExactly("4096 3/0/1/0@5#8 3/1/d/8@5#9");
        assertThat(reader.partition()).isEqualTo(7);
    }

    @Test
    void shouldLeaveFootprintsOutThatAreForTheChoiceOfFormsAlone() {
        for (long id = 1; id <= 5; id++) {
            buffer.begin();
            buffer.touch(buffer.access(3, 0, 1, 0), row(5, id));
            if (id % 2 == 0) {
                buffer.commit(id << 12, 0, false, false, false);
            } else {
                buffer.advise(id << 12, 9, id == 3, true);
            }
        }

        assertThat(decoded(encoded())).containsExactly("8192 3/0/1/0@5#2", "16384 3/0/1/0@5#4");
        assertThat(encoder.footprints()).isEqualTo(2);
    }

    /** The example of docs/reference/formats/footprints.md. */
    @Test
    void shouldKeepItsBytes() {
        buffer.begin();
        buffer.touch(buffer.access(3, 0, 1, 0), row(5, 9));
        buffer.touch(buffer.access(4, AccessTable.INSERT, 0, -1), row(5, 10));
        buffer.touch(buffer.access(4, AccessTable.INSERT, 0, -1), row(5, 11));
        buffer.commit(4096, 0, false, false, false);

        assertThat(encoded())
                .inHexadecimal()
                .isEqualTo(HexFormat.ofDelimiter(" ")
                        .parseHex("07 02 03 00 01 00 04 02 00 ff ff ff ff ff ff ff ff ff 01 01 02 00 05 01 09 03 01 01"
                                + " 20 00 88 4d 10"));
    }

    @Test
    void shouldForgetAbortedTransactionsAndReads() {
        buffer.begin();
        buffer.touch(buffer.access(3, 0, 1, 0), row(5, 9));
        buffer.begin();
        buffer.touch(buffer.access(3, 0, 1, 0), row(5, 10));
        buffer.forget();
        buffer.touch(buffer.access(3, AccessTable.INSERT, 0, -1), row(5, 11));
        buffer.commit(8192, 0, false, false, false);

        assertThat(decoded(encoded())).containsExactly("8192 3/2/0/ffffffffffffffff@5#11");
    }

    @Test
    void shouldBeCoarseWhenTheTransactionHasManyRows() {
        buffer.begin();
        for (int i = 0; i < 100; i++) {
            buffer.touch(buffer.access(3, 0, 1, 0), row(5, i));
        }
        buffer.commit(4096, 0, false, false, false);
        buffer.begin();
        buffer.touch(buffer.access(3, 0, 1, 0), row(5, 1));
        buffer.commit(8192, 0, false, false, false);

        assertThat(decoded(encoded())).containsExactly("4096 coarse", "8192 3/0/1/0@5#1");
        assertThat(buffer.coarse()).isEqualTo(1);
    }

    @Test
    void shouldDropFootprintsWhenTheAgentLags() {
        for (int i = 1; i <= 200; i++) {
            buffer.begin();
            for (int j = 0; j < 20; j++) {
                buffer.touch(buffer.access(1, 0, 1, 0), row(j, i));
            }
            buffer.commit(4096L * i, 0, false, false, false);
        }

        // Each chunk holds as many as leave room for the longest transaction.
        assertThat(buffer.dropped()).isPositive();
        assertThat(buffer.poll()).isNotNull();
    }

    @Test
    void shouldTakeFewBytesForATransactionLikeANewOrder() {
        Random random = new Random(1);
        for (int i = 1; i <= 5; i++) {
            buffer.begin();
            buffer.touch(buffer.access(1, 0, 1, 0), row(77, 0));
            buffer.touch(buffer.access(2, AccessTable.UPDATE, 1, 1), row(77, i % 10));
            buffer.touch(buffer.access(3, 0, 1, 0), row(77, random.nextInt(30_000)));
            for (int line = 0; line < 10; line++) {
                buffer.touch(buffer.access(4, AccessTable.UPDATE, 3, 3), row(77, random.nextInt(100_000)));
                buffer.touch(buffer.access(5, AccessTable.INSERT, 0, -1), row(77, 10L * i + line));
            }
            buffer.touch(buffer.access(6, AccessTable.INSERT, 0, -1), row(77, i));
            buffer.commit(4096L * 12 * i, 0, false, false, false);
        }

        assertThat(encoded().length / 5).isLessThan(48);
    }

    /** An access to a row, with a united one of each row as the oracle of a footprint. */
    private record Told(int table, int flags, long read, long written, long row) {
        private static final Comparator<Told> ORDER = Comparator.comparingInt(Told::table)
                .thenComparingInt(Told::flags)
                .thenComparing(Told::read, Long::compareUnsigned)
                .thenComparing(Told::written, Long::compareUnsigned)
                .thenComparingLong(Told::row);

        Told with(Told other) {
            return new Told(table, flags | other.flags, read | other.read, written | other.written, row);
        }

        static Collection<Told> united(List<Told> all) {
            Map<List<Long>, Told> byRow = new HashMap<>();
            for (Told told : all) {
                byRow.merge(List.of((long) told.table, told.row), told, Told::with);
            }
            return byRow.values().stream().sorted(ORDER).toList();
        }

        @Override
        public String toString() {
            return " " + table + '/' + flags + '/' + Long.toHexString(read) + '/' + Long.toHexString(written) + '@'
                    + FootprintFormat.bucket(row) + '#' + FootprintFormat.number(row);
        }
    }

    private static Told random(Random random, int accesses, long first, int at) {
        int bucket = random.nextInt(5) == 0 ? random.nextInt(1 << 16) : 3;
        long number = switch (random.nextInt(4)) {
            case 0 -> random.nextLong() & (1L << 44) - 1;
            case 1 -> random.nextInt(30);
            default -> first + at;
        };
        long written = random.nextInt(3) == 0 ? random.nextInt(accesses) : 0;
        return new Told(
                random.nextInt(4), random.nextInt(8), random.nextInt(3) - 1L, written << 51, row(bucket, number));
    }

    /** Most transactions have few rows and accesses; some have so many that each structure grows, and that numbers begin anew. */
    @Test
    void shouldDecodeWhatWasEncoded() {
        long seed = System.getProperty("reprise.seed") == null ? 20261127 : Long.getLong("reprise.seed");
        Random random = new Random(seed);
        FootprintBuffer large = new FootprintBuffer(FootprintBuffer.Settings.DEFAULTS);
        large.turnOn();
        for (int round = 0; round < 60; round++) {
            List<String> all = new ArrayList<>();
            long id = 1L << 40;
            int accesses = round < 40 ? 3 : 1 << 13;
            for (int i = 0; i < 20; i++) {
                id += random.nextInt(1 << 20) + 1;
                large.begin();
                int rows = random.nextInt(random.nextInt(5) == 0 ? 1000 : 40);
                long first = random.nextInt(1 << 20);
                List<Told> told = new ArrayList<>();
                for (int j = 0; j < rows; j++) {
                    Told row = random(random, accesses, first, j);
                    told.add(row);
                    large.touch(large.access(row.table, row.flags, row.read, row.written), row.row);
                }
                StringBuilder text = new StringBuilder().append(id);
                Told.united(told).forEach(text::append);
                all.add(text.toString());
                large.commit(id, 0, false, false, false);
            }
            List<String> found = new ArrayList<>();
            large.passOn();
            for (FootprintChunk chunk = large.poll(); chunk != null; chunk = large.poll()) {
                byte[] bytes = Arrays.copyOf(new byte[0], encoder.encode(7, chunk));
                System.arraycopy(encoder.bytes(), 0, bytes, 0, bytes.length);
                found.addAll(decoded(bytes));
                large.giveBack(chunk);
            }

            assertThat(found).as("seed %d, round %d", seed, round).isEqualTo(all);
        }
    }

    /** The bits of a New-Order's ten of 100,000 rows of stock are near 10 * log2(100,000) - log2(10!), 144, and the whole near 210. */
    @Test
    void shouldTakeAboutAsManyBitsAsTheRowsAreUncertain() {
        Random random = new Random(1);
        FootprintBuffer large = new FootprintBuffer(FootprintBuffer.Settings.DEFAULTS);
        large.turnOn();
        int count = 400;
        for (int i = 1; i <= count; i++) {
            large.begin();
            large.touch(large.access(3, 0, 1, 0), row(77, random.nextInt(30_000)));
            for (int line = 0; line < 10; line++) {
                large.touch(large.access(4, AccessTable.UPDATE, 3, 3), row(77, random.nextInt(100_000)));
                large.touch(large.access(5, AccessTable.INSERT, 0, -1), row(77, 10L * i + line));
            }
            large.commit(4096L * 12 * i, 0, false, false, false);
        }

        large.passOn();
        long bytes = 0;
        for (FootprintChunk chunk = large.poll(); chunk != null; chunk = large.poll()) {
            bytes += encoder.encode(7, chunk);
            large.giveBack(chunk);
        }

        assertThat((double) bytes / count).isBetween(144.0 / Byte.SIZE, 210.0 / Byte.SIZE);
    }

    /** Each bit of a record is flipped: other rows come out, or the record is refused. */
    @Test
    void shouldRefuseOrReadWhateverBitIsFlipped() {
        Random random = new Random(2);
        for (int i = 1; i <= 5; i++) {
            buffer.begin();
            for (int j = 0; j < 6; j++) {
                buffer.touch(buffer.access(j % 3, 0, 1, 0), row(random.nextInt(9), random.nextInt(1000)));
            }
            buffer.commit(4096L * i, 0, false, false, false);
        }
        byte[] bytes = encoded();
        int refused = 0;

        for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            try {
                assertThat(decoded(damaged)).isNotNull();
            } catch (DamagedFootprintException e) {
                refused++;
            }
        }

        assertThat(refused).isPositive();
    }

    @Test
    void shouldRefuseDamagedBytes() {
        buffer.begin();
        buffer.touch(buffer.access(3, 0, 1, 0), row(5, 9));
        buffer.touch(buffer.access(4, 0, 1, 0), row(6, 9));
        buffer.commit(4096, 0, false, false, false);
        byte[] bytes = encoded();

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> decoded(cut))
                    .as("cut to %d", length)
                    .isInstanceOf(DamagedFootprintException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> decoded(longer)).isInstanceOf(DamagedFootprintException.class);
    }
}
