package io.reprise.workload.smallbank;

/**
 * Sizes and skew.
 *
 * @param customers number of customers
 * @param seed of the loaded balances
 * @param hotspotCustomers number of hot customers; 0: none is
 * @param hotspotPercent of accesses go to the hot customers
 * @param distributedPercent of two-customer transactions have their second customer in another partition, the others
 *     in the same one; negative: the second customer is anywhere
 */
public record SmallbankOptions(
        int customers, long seed, int hotspotCustomers, double hotspotPercent, double distributedPercent) {
    /** Refuses what the generator cannot serve. */
    public SmallbankOptions {
        if (customers < 2 || hotspotCustomers == 1 || hotspotCustomers > customers || hotspotCustomers < 0) {
            throw new IllegalArgumentException(
                    "Smallbank: customers must be at least 2, hot customers 0 or between 2 and all customers");
        }
    }

    /** Uniform access to so many customers. */
    public static SmallbankOptions uniform(int customers) {
        return new SmallbankOptions(customers, 1, 0, 0, -1);
    }

    /** Some customers are hot. */
    public SmallbankOptions withHotspot(int newHotspotCustomers, double newHotspotPercent) {
        return new SmallbankOptions(customers, seed, newHotspotCustomers, newHotspotPercent, distributedPercent);
    }

    /** A given share of the two-customer transactions is distributed. */
    public SmallbankOptions withDistributed(double newDistributedPercent) {
        return new SmallbankOptions(customers, seed, hotspotCustomers, hotspotPercent, newDistributedPercent);
    }
}
