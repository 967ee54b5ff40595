package io.reprise.workload.tpcc;

import io.reprise.workload.Database;
import io.reprise.workload.Ddl;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;
import io.reprise.workload.Workload;
import java.util.List;

/** TPC-C as a workload. */
public final class Tpcc implements Workload {
    /** Districts of a warehouse. */
    public static final int DISTRICTS = 10;

    /** Positions in {@link #procedures}. */
    public static final int NEW_ORDER = 0;

    public static final int PAYMENT = 1;
    public static final int ORDER_STATUS = 2;
    public static final int DELIVERY = 3;
    public static final int STOCK_LEVEL = 4;

    private static final List<String> PROCEDURES =
            List.of("NewOrder", "Payment", "OrderStatus", "Delivery", "StockLevel");

    private final TpccOptions options;

    /** With these options. */
    public Tpcc(TpccOptions options) {
        this.options = options;
    }

    /** The options. */
    public TpccOptions options() {
        return options;
    }

    @Override
    public String name() {
        return "tpcc";
    }

    @Override
    public String ddl() {
        return Ddl.resource(Tpcc.class, "tpcc.sql");
    }

    @Override
    public List<String> procedures() {
        return PROCEDURES;
    }

    @Override
    public void load(Database database) {
        load(database, 0, 1);
    }

    @Override
    public void load(Database database, int part, int parts) {
        new TpccLoader(database, options).load(part, parts);
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new TpccGenerator(options, seed, placement, partition);
    }

    @Override
    public List<Violation> check(Database database, long before, List<Generator> ran) {
        return new TpccChecker(database, options).check();
    }

    /** Of a district's first orders, one for each customer, this many are delivered: 2,100 of 3,000. */
    static int delivered(int customersPerDistrict) {
        return customersPerDistrict - customersPerDistrict * 3 / 10;
    }

    /** The load's constant of NURand for last names. */
    static int loadConstantForNames(TpccOptions options) {
        return new RandomValues(0).seed(options.seed(), 6, 0, 0).uniform(0, 255);
    }
}
