package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WriterPoolTest {
    private static final int LARGEST = 4096;

    private final WriterPool pool = new WriterPool(64, 1 << 20, new EncodedColumns(), LARGEST, 3 * LARGEST);

    private ResultWriter grown(int bytes) {
        ResultWriter writer = pool.take();
        writer.bytes().raw(new byte[bytes]);
        return writer;
    }

    @Test
    void shouldGiveAWriterAgainThatHasGrownAsFarAsUsual() {
        ResultWriter writer = grown(LARGEST);

        pool.giveBack(writer);

        assertThat(pool.take()).isSameAs(writer);
        assertThat(writer.bytes().length()).isZero();
        assertThat(writer.bytes().capacity()).isEqualTo(LARGEST);
    }

    @Test
    void shouldNotKeepAWriterThatHasGrownBeyond() {
        ResultWriter writer = grown(LARGEST + 1);

        pool.giveBack(writer);

        assertThat(pool.take()).isNotSameAs(writer);
    }

    @Test
    void shouldKeepNoMoreThanAllOfThemMayHaveHoweverOftenTheyAreTaken() {
        for (int round = 0; round < 5; round++) {
            List<ResultWriter> taken = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                taken.add(grown(LARGEST));
            }
            taken.forEach(pool::giveBack);

            List<ResultWriter> again = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                again.add(pool.take());
            }

            assertThat(again).filteredOn(taken::contains).hasSize(3);
            again.forEach(pool::giveBack);
        }
    }
}
