package io.reprise.benchmark.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Updates many rows by primary key in one transaction: index lookup, undo and write hash included. */
public final class PointUpdate extends Procedure {
    private final Statement write = sql("UPDATE point SET balance = ? WHERE part = ? AND id = ?");

    /** Returns how many rows were written. */
    public long run(short part, int mask, int count, long seed) {
        long random = seed;
        long written = 0;
        for (int i = 0; i < count; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            written += write.set(0, random >>> 20)
                    .set(1, part)
                    .set(2, (random >>> 33) & mask)
                    .update();
        }
        return written;
    }
}
