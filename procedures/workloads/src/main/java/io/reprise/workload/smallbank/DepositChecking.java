package io.reprise.workload.smallbank;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Pays money into a checking account. */
public final class DepositChecking extends Procedure {
    private final Statement account = sql(Sql.ACCOUNT);
    private final Statement addToChecking = sql(Sql.ADD_TO_CHECKING);

    /** Returns by how many cents the bank's total changed. */
    public long run(long customer, long cents) {
        if (cents < 0) {
            throw abort("a deposit must not be negative");
        }
        if (!account.set(0, customer).first()) {
            throw abort("no such customer");
        }
        addToChecking.setUnscaled(0, cents).set(1, customer).update();
        return cents;
    }
}
