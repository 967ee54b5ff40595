package io.reprise.workload.tpcc;

/**
 * Sizes and mix. {@link #standard} follows the specification; the rest departs from it for tests and experiments.
 *
 * @param warehouses number of warehouses
 * @param items number of items; 100,000 by the specification
 * @param customersPerDistrict number of customers, and of orders; 3,000 by the specification
 * @param seed of the loaded data and of the constants of NURand
 * @param remoteLinePercent of order lines are supplied by another warehouse
 * @param remotePaymentPercent of payments are made by another warehouse's customer
 * @param rollbackPercent of new orders end with an unused item
 * @param distributedOrderPercent of new orders have exactly one line from a warehouse of another partition and all
 *     others from their own warehouse; negative: the remote lines are chosen line by line, as the specification says
 * @param mix the share of each of the transactions
 */
public record TpccOptions(
        int warehouses,
        int items,
        int customersPerDistrict,
        long seed,
        double remoteLinePercent,
        double remotePaymentPercent,
        double rollbackPercent,
        double distributedOrderPercent,
        Mix mix) {
    /**
     * The mix of transactions: in percent, drawn for each call (clause 5.2.3), or as the specification's deck of 23
     * cards, shuffled again whenever it is used up (clause 5.2.4.2), when {@code deck} is set.
     */
    public record Mix(int newOrder, int payment, int orderStatus, int delivery, int stockLevel, boolean deck) {
        /** The smallest shares that the specification allows; new orders are the rest. */
        public static final Mix FULL = new Mix(45, 43, 4, 4, 4, false);

        /** Ten new orders, ten payments, and one of each of the others. */
        public static final Mix DECK = new Mix(10, 10, 1, 1, 1, true);

        /** New orders only. */
        public static final Mix NEW_ORDER = new Mix(100, 0, 0, 0, 0, false);

        /** Refuses shares that are not percent. */
        public Mix {
            int sum = newOrder + payment + orderStatus + delivery + stockLevel;
            if (!deck && sum != 100) {
                throw new IllegalArgumentException(
                        "the shares of a mix are percent and must add up to 100, not " + sum);
            }
        }

        int share(int procedure) {
            return switch (procedure) {
                case Tpcc.NEW_ORDER -> newOrder;
                case Tpcc.PAYMENT -> payment;
                case Tpcc.ORDER_STATUS -> orderStatus;
                case Tpcc.DELIVERY -> delivery;
                default -> stockLevel;
            };
        }
    }

    /** Refuses what the schema or the generator cannot hold. */
    public TpccOptions {
        require(warehouses >= 1 && warehouses <= Short.MAX_VALUE, "warehouses must be between 1 and 32767");
        require(items >= 1 && items <= 100_000, "items must be between 1 and 100000");
        require(
                customersPerDistrict >= 10 && customersPerDistrict <= 3_000,
                "customers of a district must be between 10 and 3000");
    }

    /** The specification's sizes and mix. */
    public static TpccOptions standard(int warehouses) {
        return new TpccOptions(warehouses, 100_000, 3_000, 1, 1, 15, 1, -1, Mix.FULL);
    }

    /** The specification's mix on a small database, for tests. */
    public static TpccOptions small(int warehouses) {
        return standard(warehouses).withSizes(1_000, 60);
    }

    /** Other sizes. */
    public TpccOptions withSizes(int newItems, int newCustomersPerDistrict) {
        return new TpccOptions(
                warehouses,
                newItems,
                newCustomersPerDistrict,
                seed,
                remoteLinePercent,
                remotePaymentPercent,
                rollbackPercent,
                distributedOrderPercent,
                mix);
    }

    /** Another seed. */
    public TpccOptions withSeed(long newSeed) {
        return new TpccOptions(
                warehouses,
                items,
                customersPerDistrict,
                newSeed,
                remoteLinePercent,
                remotePaymentPercent,
                rollbackPercent,
                distributedOrderPercent,
                mix);
    }

    /** Other shares of remote order lines and payments. */
    public TpccOptions withRemote(double newRemoteLinePercent, double newRemotePaymentPercent) {
        return new TpccOptions(
                warehouses,
                items,
                customersPerDistrict,
                seed,
                newRemoteLinePercent,
                newRemotePaymentPercent,
                rollbackPercent,
                distributedOrderPercent,
                mix);
    }

    /** So many new orders with one line from another partition. */
    public TpccOptions withDistributedOrders(double newDistributedOrderPercent) {
        return new TpccOptions(
                warehouses,
                items,
                customersPerDistrict,
                seed,
                remoteLinePercent,
                remotePaymentPercent,
                rollbackPercent,
                newDistributedOrderPercent,
                mix);
    }

    /** Another mix. */
    public TpccOptions withMix(Mix newMix) {
        return new TpccOptions(
                warehouses,
                items,
                customersPerDistrict,
                seed,
                remoteLinePercent,
                remotePaymentPercent,
                rollbackPercent,
                distributedOrderPercent,
                newMix);
    }

    /** The number of last names: 1,000, or fewer if there are fewer customers to bear them. */
    int names() {
        return Math.min(1_000, customersPerDistrict);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException("TPC-C: " + message);
        }
    }
}
