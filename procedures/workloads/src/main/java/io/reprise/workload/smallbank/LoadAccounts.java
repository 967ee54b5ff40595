package io.reprise.workload.smallbank;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.TextBuilder;
import io.reprise.workload.RandomValues;

/** Loads customers with their accounts. */
public final class LoadAccounts extends Procedure {
    private final Statement insertAccount = sql("INSERT INTO accounts (custid, name) VALUES (?, ?)");
    private final Statement insertSavings = sql("INSERT INTO savings (custid, bal) VALUES (?, ?)");
    private final Statement insertChecking = sql("INSERT INTO checking (custid, bal) VALUES (?, ?)");
    private final TextBuilder name = new TextBuilder(64);
    private final RandomValues random = new RandomValues(0);

    /**
     * Loads the given customers, who may live in several partitions.
     *
     * @return the sum of their money, in cents
     */
    public long run(long[] customers, long minCents, long maxCents, long seed) {
        long sum = 0;
        for (long customer : customers) {
            random.seed(seed, 1, customer, 0);
            long inSavings = cents(random, minCents, maxCents);
            long inChecking = cents(random, minCents, maxCents);
            name.clear().appendPadded(customer, 12).append('-');
            insertAccount
                    .set(0, customer)
                    .set(1, random.alphanumeric(name, 19, 51).text())
                    .update();
            insertSavings.set(0, customer).setUnscaled(1, inSavings).update();
            insertChecking.set(0, customer).setUnscaled(1, inChecking).update();
            sum += inSavings + inChecking;
        }
        return sum;
    }

    /** The sum of the money of customers 0 to {@code customers} - 1 when they are loaded. */
    static long total(int customers, long minCents, long maxCents, long seed) {
        RandomValues random = new RandomValues(0);
        long sum = 0;
        for (int customer = 0; customer < customers; customer++) {
            random.seed(seed, 1, customer, 0);
            sum += cents(random, minCents, maxCents);
            sum += cents(random, minCents, maxCents);
        }
        return sum;
    }

    private static long cents(RandomValues random, long min, long max) {
        return min + random.below(max - min + 1);
    }
}
