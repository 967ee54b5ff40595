package io.reprise.workload.smallbank;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Cashes a check against both accounts; an overdraft costs a penalty of 1.00. */
public final class WriteCheck extends Procedure {
    private static final long PENALTY_CENTS = 100;

    private final Statement account = sql(Sql.ACCOUNT);
    private final Statement savings = sql(Sql.SAVINGS);
    private final Statement checking = sql(Sql.CHECKING);
    private final Statement setChecking = sql(Sql.SET_CHECKING);

    /** Returns by how many cents the bank's total changed. */
    public long run(long customer, long cents) {
        if (!account.set(0, customer).first()) {
            throw abort("no such customer");
        }
        if (!savings.set(0, customer).first() || !checking.set(0, customer).first()) {
            throw abort("the customer has no account");
        }
        long inChecking = checking.rows().unscaledAt(0);
        boolean overdrawn = savings.rows().unscaledAt(0) + inChecking < cents;
        long charged = overdrawn ? cents + PENALTY_CENTS : cents;
        setChecking.setUnscaled(0, inChecking - charged).set(1, customer).update();
        return -charged;
    }
}
