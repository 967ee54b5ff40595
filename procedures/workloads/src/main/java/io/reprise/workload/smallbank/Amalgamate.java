package io.reprise.workload.smallbank;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Moves all that one customer has to another one's checking account. */
public final class Amalgamate extends Procedure {
    private final Statement account = sql(Sql.ACCOUNT);
    private final Statement savings = sql(Sql.SAVINGS);
    private final Statement checking = sql(Sql.CHECKING);
    private final Statement setSavings = sql(Sql.SET_SAVINGS);
    private final Statement setChecking = sql(Sql.SET_CHECKING);
    private final Statement addToChecking = sql(Sql.ADD_TO_CHECKING);

    /** Moves. */
    public void run(long from, long to) {
        if (!account.set(0, from).first() || !account.set(0, to).first()) {
            throw abort("no such customer");
        }
        if (!savings.set(0, from).first() || !checking.set(0, from).first()) {
            throw abort("the customer has no account");
        }
        long cents = savings.rows().unscaledAt(0) + checking.rows().unscaledAt(0);
        setSavings.setUnscaled(0, 0).set(1, from).update();
        setChecking.setUnscaled(0, 0).set(1, from).update();
        addToChecking.setUnscaled(0, cents).set(1, to).update();
    }
}
