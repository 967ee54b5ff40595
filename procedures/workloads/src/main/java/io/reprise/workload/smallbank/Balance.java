package io.reprise.workload.smallbank;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** A customer's money in both accounts. */
public final class Balance extends Procedure {
    private final Statement account = sql(Sql.ACCOUNT);
    private final Statement savings = sql(Sql.SAVINGS);
    private final Statement checking = sql(Sql.CHECKING);

    /** Returns the sum in cents. */
    public long run(long customer) {
        if (!account.set(0, customer).first()) {
            throw abort("no such customer");
        }
        if (!savings.set(0, customer).first() || !checking.set(0, customer).first()) {
            throw abort("the customer has no account");
        }
        return savings.rows().unscaledAt(0) + checking.rows().unscaledAt(0);
    }
}
