package io.reprise.sql.compile.runtime;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import java.util.Arrays;

/**
 * The parameters of an IN list as a set, which is filled anew in each execution of its statement. A hash table with linear
 * probing over the numbers of the parameters.
 */
public final class ParameterSet {
    /** The result of a search that found nothing while a parameter is NULL: the comparison with it is neither true nor false. */
    private static final long UNKNOWN = -1;

    private final int[] parameters;
    private final boolean strings;

    /** The number of a parameter plus 1 in each slot that is taken. */
    private final int[] slots;

    private long filledIn;
    private long filledOf = -1;
    private boolean hasNull;

    /** A set of these parameters. */
    public ParameterSet(int[] parameters, boolean strings) {
        this.parameters = parameters;
        this.strings = strings;
        slots = new int[Integer.highestOneBit(Math.max(4, parameters.length * 2 - 1)) * 2];
    }

    /** 1 if a parameter equals the word, 0 if none does, negative if none does and one is NULL. */
    public long find(StatementValues statement, Memory memory, long word) {
        if (filledIn != statement.execution() || filledOf != statement.transaction()) {
            fill(statement, memory);
        }
        int at = slot(memory, word);
        while (slots[at] != 0) {
            if (same(memory, statement.parameterWord(slots[at] - 1), word)) {
                return 1;
            }
            at = at + 1 & slots.length - 1;
        }
        return hasNull ? UNKNOWN : 0;
    }

    private void fill(StatementValues statement, Memory memory) {
        Arrays.fill(slots, 0);
        hasNull = false;
        for (int parameter : parameters) {
            if (statement.isParameterNull(parameter)) {
                hasNull = true;
                continue;
            }
            long word = statement.parameterWord(parameter);
            int at = slot(memory, word);
            while (slots[at] != 0 && !same(memory, statement.parameterWord(slots[at] - 1), word)) {
                at = at + 1 & slots.length - 1;
            }
            slots[at] = parameter + 1;
        }
        filledIn = statement.execution();
        filledOf = statement.transaction();
    }

    private int slot(Memory memory, long word) {
        return (int) Buckets.mix(0, strings ? Strings.hash(memory, word) : word) & slots.length - 1;
    }

    private boolean same(Memory memory, long a, long b) {
        return strings ? Strings.equal(memory, a, b) : a == b;
    }
}
