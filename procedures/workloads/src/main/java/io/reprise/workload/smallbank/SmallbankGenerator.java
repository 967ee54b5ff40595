package io.reprise.workload.smallbank;

import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;

/** Draws transactions in the usual mix: SendPayment 25 of 100, the others 15 each; and keeps account of the money. */
final class SmallbankGenerator implements Generator {
    private static final int SHARE = 15;
    private static final int MAX_CENTS = 5_000;

    private final SmallbankOptions options;
    private final Placement placement;
    private final int partition;
    private final RandomValues random;
    private long paidIn;

    SmallbankGenerator(SmallbankOptions options, long seed, Placement placement, int partition) {
        this.options = options;
        this.placement = placement;
        this.partition = partition;
        this.random = new RandomValues(seed);
        requireCustomers();
    }

    @Override
    public int next(Call call) {
        int procedure = Math.min(random.uniform(0, 99) / SHARE, Smallbank.SEND_PAYMENT);
        long customer = home();
        call.procedure(procedure).add(customer);
        switch (procedure) {
            case Smallbank.BALANCE -> {}
            case Smallbank.AMALGAMATE -> call.add(other(customer));
            case Smallbank.SEND_PAYMENT -> call.add(other(customer)).add(random.uniform(1, MAX_CENTS));
            case Smallbank.TRANSACT_SAVINGS -> call.add(random.uniform(-MAX_CENTS, MAX_CENTS));
            default -> call.add(random.uniform(1, MAX_CENTS));
        }
        return procedure;
    }

    @Override
    public void completed(int procedure, boolean committed, long value) {
        if (committed
                && (procedure == Smallbank.DEPOSIT_CHECKING
                        || procedure == Smallbank.TRANSACT_SAVINGS
                        || procedure == Smallbank.WRITE_CHECK)) {
            paidIn += value;
        }
    }

    /** By how many cents the bank's total changed, according to the replies. */
    long paidIn() {
        return paidIn;
    }

    /** A customer of this generator's partition. */
    private long home() {
        long customer = anyone();
        while (partition >= 0 && placement.partitionOf(customer) != partition) {
            customer = anyone();
        }
        return customer;
    }

    /** A second customer: in the first one's partition or not, as the options ask for. */
    private long other(long first) {
        boolean choose = options.distributedPercent() >= 0 && placement.partitions() > 1;
        boolean distributed = choose && random.percent(options.distributedPercent());
        int here = choose ? placement.partitionOf(first) : 0;
        while (true) {
            long customer = anyone();
            if (customer != first && (!choose || (placement.partitionOf(customer) != here) == distributed)) {
                return customer;
            }
        }
    }

    private long anyone() {
        if (options.hotspotCustomers() > 0 && random.percent(options.hotspotPercent())) {
            return random.below(options.hotspotCustomers());
        }
        return random.below(options.customers());
    }

    /** The draws above end only if each partition has at least two customers that can be drawn. */
    private void requireCustomers() {
        int[] found = new int[placement.partitions()];
        boolean onlyHot = options.hotspotCustomers() > 0 && options.hotspotPercent() >= 100;
        int drawn = onlyHot ? options.hotspotCustomers() : options.customers();
        for (int customer = 0; customer < drawn; customer++) {
            found[placement.partitionOf(customer)]++;
        }
        for (int i = 0; i < found.length; i++) {
            if (found[i] < 2) {
                throw new IllegalArgumentException(
                        "Smallbank: partition " + i + " has fewer than two customers: ask for more customers"
                                + (onlyHot ? ", or fewer accesses to the hot ones" : ""));
            }
        }
    }
}
