package io.reprise.engine;

import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;

/** Random calls of a bank, whose replies tests compare with those of an undisturbed engine. */
final class ComparedCalls {
    private ComparedCalls() {}

    /** A call's name and arguments; the share of reads grows with the number of kinds. */
    static Object[] random(SeededRandomness random, int kinds) {
        long one = random.nextInt(60);
        long other = random.nextInt(60);
        return switch (random.nextInt(kinds)) {
            case 0 -> new Object[] {"Total"};
            case 1 -> new Object[] {"SetRate", "rate " + one % 3, (int) other};
            case 2, 3 -> new Object[] {"GetRate", "rate " + one % 3};
            case 4, 5, 6, 7, 8, 9, 10, 11 -> new Object[] {"OpenAccount", one, 100L + other, "owner " + other};
            case 12, 13, 14, 15, 16, 17, 18 -> new Object[] {"Transfer", one, other, 1L + random.nextInt(50)};
            default -> new Object[] {"Balance", one};
        };
    }

    /** The reply of a call as text; a failure has its code and message. */
    static String reply(Reprise engine, String name, Object... arguments) {
        try {
            Reply reply = engine.call(name, arguments);
            if (!name.equals("GetRate")) {
                return String.valueOf(reply.value());
            }
            Rows rows = reply.rows();
            return rows.next() ? String.valueOf(rows.longAt(0)) : "none";
        } catch (ProcedureException e) {
            return e.code() + ": " + e.getMessage();
        }
    }
}
