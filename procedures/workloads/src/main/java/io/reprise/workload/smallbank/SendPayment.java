package io.reprise.workload.smallbank;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Moves money from one customer's checking account to another one's. */
public final class SendPayment extends Procedure {
    private final Statement account = sql(Sql.ACCOUNT);
    private final Statement checking = sql(Sql.CHECKING);
    private final Statement setChecking = sql(Sql.SET_CHECKING);
    private final Statement addToChecking = sql(Sql.ADD_TO_CHECKING);
    private final AbortException insufficient = abort("the checking account does not hold that much");

    /** Moves. */
    public void run(long from, long to, long cents) {
        if (!account.set(0, from).first() || !account.set(0, to).first()) {
            throw abort("no such customer");
        }
        if (!checking.set(0, from).first()) {
            throw abort("the customer has no checking account");
        }
        long left = checking.rows().unscaledAt(0) - cents;
        if (left < 0) {
            throw insufficient;
        }
        setChecking.setUnscaled(0, left).set(1, from).update();
        addToChecking.setUnscaled(0, cents).set(1, to).update();
    }
}
