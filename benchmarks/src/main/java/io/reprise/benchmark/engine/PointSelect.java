package io.reprise.benchmark.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Reads many rows by primary key in one transaction, so that the cost of a single statement can be told. */
public final class PointSelect extends Procedure {
    private final Statement read = sql("SELECT balance FROM point WHERE part = ? AND id = ?");

    /** Returns the sum of what was read, so that nothing can be left out. */
    public long run(short part, int mask, int count, long seed) {
        long random = seed;
        long sum = 0;
        for (int i = 0; i < count; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            if (!read.set(0, part).set(1, (random >>> 33) & mask).first()) {
                throw abort("a row is missing");
            }
            sum += read.rows().longAt(0);
        }
        return sum;
    }
}
