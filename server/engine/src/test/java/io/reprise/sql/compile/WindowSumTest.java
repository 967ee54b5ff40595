package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Sums over windows. */
final class WindowSumTest {
    private static final int ROWS = 4000;

    /** Bytes of Java heap for each row; a BigDecimal has 40 and more. */
    private static final int BYTES_PER_ROW = 24;

    /** The sum is a DECIMAL of 38 digits, and its argument is a word. */
    @Test
    void shouldSumWordsWithoutObjects() {
        try (TestDatabase database =
                new TestDatabase("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, d DECIMAL(10,2));")) {
            for (int i = 0; i < ROWS; i++) {
                database.run("INSERT INTO t VALUES (?, ?)", i, i);
            }
            String sql = "SELECT COUNT(s) FROM (SELECT SUM(d) OVER (ORDER BY id) AS s FROM t) AS q";
            assertThat(database.value(sql)).isEqualTo((long) ROWS);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();

            assertThat(database.value(sql)).isEqualTo((long) ROWS);

            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan((long) ROWS * BYTES_PER_ROW);
        }
    }
}
