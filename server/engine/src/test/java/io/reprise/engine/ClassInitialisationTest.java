package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.BucketMap;
import io.reprise.id.Buckets;
import io.reprise.procedure.Procedure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Static initialisers of procedures' classes run before any transaction does. */
class ClassInitialisationTest {
    private static final String DDL = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE item ON COLUMN id;
            CREATE PROCEDURE PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.ClassInitialisationTest$Sides;
            """;

    /** Each partition's thread would hold one class that is being initialised, and wait for the other for ever. */
    @Test
    void shouldNotMakePartitionsWaitForEachOtherWhenTwoClassesNeedEachOther() throws Exception {
        Reprise engine = Options.create()
                .partitions(2)
                .memoryPerPartition(64 << 20)
                // The machine decides how long counting initialisers take.
                .timeLimit(Duration.ofMinutes(2))
                .ddl(DDL)
                .open();

        CompletableFuture<Reply> left = engine.callAsync("Sides", idAt(0), true);
        CompletableFuture<Reply> right = engine.callAsync("Sides", idAt(1), false);

        assertThat(left.get(60, TimeUnit.SECONDS).longValue())
                .isEqualTo(right.get(60, TimeUnit.SECONDS).longValue());
        engine.close();
    }

    private static long idAt(int partition) {
        BucketMap buckets = BucketMap.dealt(2);
        return LongStream.range(0, 1000)
                .filter(id -> buckets.partition(Buckets.DEFAULT.of(id)) == partition)
                .findFirst()
                .orElseThrow();
    }

    /** Uses one of two classes. */
    public static final class Sides extends Procedure {
        public long run(long id, boolean left) {
            return left ? Left.SUM : Right.SUM;
        }
    }

    static final class Left {
        static final long BASE = counted();
        static final long SUM = BASE + Right.BASE;
    }

    static final class Right {
        static final long BASE = counted();
        static final long SUM = BASE + Left.BASE;
    }

    /** Takes long enough for the other thread to have begun. */
    private static long counted() {
        long count = 0;
        for (long i = 0; i < 300_000_000; i++) {
            count += i ^ count >>> 7;
        }
        return count;
    }
}
