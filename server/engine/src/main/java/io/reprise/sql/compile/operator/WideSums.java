package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.emit.Cells;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.WideDecimals;

/**
 * Emits sums whose results are DECIMALs of more than 18 digits. A sum of such numbers is three words in two's complement; one of words is
 * two, see {@code Numbers.carry}.
 *
 * @param low the cell of the low word
 * @param middle the cell of the second one
 * @param high the cell of the third one
 */
record WideSums(Code code, Cells cells, int low, int middle, int high) {
    private static final int WORDS = 3;

    /** Adds a DECIMAL of more than 18 digits. */
    void add(Value value) {
        int[] added = new int[WORDS];
        for (int i = 0; i < added.length; i++) {
            added[i] = code.newLong();
            code.memory();
            code.push(value);
            code.push(i);
            code.call(WideDecimals.class, "word", Memory.class, long.class, int.class);
            code.storeLong(added[i]);
        }
        cells.set(high, () -> {
            pushWords();
            for (int word : added) {
                code.loadLong(word);
            }
            code.call(WideDecimals.class, "high");
        });
        cells.set(middle, () -> {
            cells.push(low);
            cells.push(middle);
            code.loadLong(added[0]);
            code.loadLong(added[1]);
            code.call(WideDecimals.class, "middle");
        });
        cells.set(low, () -> {
            cells.push(low);
            code.loadLong(added[0]);
            code.raw().ladd();
        });
    }

    private void pushWords() {
        cells.push(low);
        cells.push(middle);
        cells.push(high);
    }

    /** The sum of numbers of a type. */
    Value sum(SqlType summed, SqlType type) {
        int slot = code.newLocal(type);
        if (summed.isWide()) {
            pushWords();
        } else {
            cells.push(low);
            cells.push(middle);
        }
        code.push(type.precision());
        code.push(type.decimals());
        code.store();
        code.call(WideDecimals.class, summed.isWide() ? "storeSum" : "storeSumOfWords");
        code.store(type, slot);
        return Value.local(type, slot);
    }

    /** Pushes the average of numbers of a type, whose number is in a cell. */
    void pushAverage(int count, SqlType summed, SqlType type) {
        pushWords();
        cells.push(count);
        code.push(summed.decimals());
        code.push(type.precision());
        code.push(type.decimals());
        code.store();
        code.call(WideDecimals.class, "storeAverage");
    }
}
