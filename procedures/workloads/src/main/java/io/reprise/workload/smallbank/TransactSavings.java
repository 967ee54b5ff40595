package io.reprise.workload.smallbank;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Pays money into a savings account or, with a negative amount, takes it out; never below zero. */
public final class TransactSavings extends Procedure {
    private final Statement account = sql(Sql.ACCOUNT);
    private final Statement savings = sql(Sql.SAVINGS);
    private final Statement setSavings = sql(Sql.SET_SAVINGS);
    private final AbortException insufficient = abort("the savings account does not hold that much");

    /** Returns by how many cents the bank's total changed. */
    public long run(long customer, long cents) {
        if (!account.set(0, customer).first()) {
            throw abort("no such customer");
        }
        if (!savings.set(0, customer).first()) {
            throw abort("the customer has no savings account");
        }
        long balance = savings.rows().unscaledAt(0) + cents;
        if (balance < 0) {
            throw insufficient;
        }
        setSavings.setUnscaled(0, balance).set(1, customer).update();
        return cents;
    }
}
