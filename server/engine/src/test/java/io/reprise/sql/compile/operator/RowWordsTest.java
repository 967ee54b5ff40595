package io.reprise.sql.compile.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.Seeds;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowWordsTest {
    private static final int WORDS_OF_A_LINE = 8;
    private static final int MOST = 24;

    @Test
    void shouldNameAWordOfEachLineWhereverInALineTheRowBegins() {
        Seeds.forEach(500, seed -> {
            Random random = new Random(seed);
            BitSet wanted = new BitSet();
            wanted.set(0);
            for (int word = 1; word < MOST; word++) {
                wanted.set(word, random.nextInt(3) == 0);
            }

            long mask = RowWords.mask(wanted);

            for (int start = 0; start < WORDS_OF_A_LINE; start++) {
                assertThat(lines(BitSet.valueOf(new long[] {mask}), start))
                        .as("row that begins at word %d of a line, words %s", start, wanted)
                        .isEqualTo(lines(wanted, start));
            }
        });
    }

    @Test
    void shouldNameTheForemostWordsWhenTheRowIsLong() {
        BitSet all = new BitSet();
        all.set(0, 1_000);

        long mask = RowWords.mask(all);

        assertThat(mask).isEqualTo(0x0101_0101_0101_0101L);
    }

    private static BitSet lines(BitSet words, int start) {
        BitSet lines = new BitSet();
        words.stream().forEach(word -> lines.set((start + word) / WORDS_OF_A_LINE));
        return lines;
    }
}
