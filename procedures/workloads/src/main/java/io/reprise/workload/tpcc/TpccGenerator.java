package io.reprise.workload.tpcc;

import io.reprise.procedure.TextBuilder;
import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;

/** Makes the inputs of the five transactions (clauses 2.4.1 to 2.8.1), without keying and think times. */
final class TpccGenerator implements Generator {
    private static final int MAX_LINES = 15;
    private static final int[] NONE = {};

    private final TpccOptions options;
    private final RandomValues random;
    private final int nameConstant;
    private final int customerConstant;
    private final int itemConstant;

    /** Warehouses where calls start, and those that lie in other partitions than where this one's calls start. */
    private final int[] homes;

    private final int[] foreign;
    private final int[] deck;
    private int dealt;

    private final int[] itemIds = new int[MAX_LINES];
    private final int[] supplyWarehouseIds = new int[MAX_LINES];
    private final int[] quantities = new int[MAX_LINES];
    private final TextBuilder name = new TextBuilder(16);

    TpccGenerator(TpccOptions options, long seed, Placement placement, int partition) {
        this.options = options;
        RandomValues constants = new RandomValues(0).seed(options.seed(), 7, 0, 0);
        nameConstant = NonUniform.runConstantForNames(constants, Tpcc.loadConstantForNames(options));
        customerConstant = NonUniform.constant(constants, 1_023);
        itemConstant = NonUniform.constant(constants, 8_191);
        random = new RandomValues(seed);
        homes = warehouses(placement, partition, true);
        foreign = partition < 0 ? NONE : warehouses(placement, partition, false);
        if (homes.length == 0) {
            throw new IllegalArgumentException("partition " + partition + " has none of the " + options.warehouses()
                    + " warehouses: ask for more warehouses or fewer partitions");
        }
        if (options.distributedOrderPercent() > 0 && foreign.length == 0) {
            throw new IllegalArgumentException("distributed orders need warehouses in another partition and a generator"
                    + " that belongs to one partition");
        }
        deck = options.mix().deck() ? deck(options.mix()) : NONE;
        dealt = deck.length;
    }

    private int[] warehouses(Placement placement, int partition, boolean inside) {
        int[] found = new int[options.warehouses()];
        int count = 0;
        for (int wId = 1; wId <= options.warehouses(); wId++) {
            if (partition < 0 || (placement.partitionOf(wId) == partition) == inside) {
                found[count++] = wId;
            }
        }
        return java.util.Arrays.copyOf(found, count);
    }

    private static int[] deck(TpccOptions.Mix mix) {
        int[] cards = new int[mix.newOrder() + mix.payment() + mix.orderStatus() + mix.delivery() + mix.stockLevel()];
        int at = 0;
        for (int procedure = Tpcc.NEW_ORDER; procedure <= Tpcc.STOCK_LEVEL; procedure++) {
            for (int i = mix.share(procedure); i > 0; i--) {
                cards[at++] = procedure;
            }
        }
        return cards;
    }

    @Override
    public int next(Call call) {
        int procedure = deck.length > 0 ? deal() : draw();
        int wId = homes[random.uniform(0, homes.length - 1)];
        call.procedure(procedure).add(wId);
        switch (procedure) {
            case Tpcc.NEW_ORDER -> newOrder(call, wId);
            case Tpcc.PAYMENT -> payment(call, wId);
            case Tpcc.ORDER_STATUS -> {
                call.add(district());
                customer(call);
            }
            case Tpcc.DELIVERY -> call.add(random.uniform(1, 10));
            default -> call.add(district()).add(random.uniform(10, 20));
        }
        return procedure;
    }

    private int draw() {
        int left = random.uniform(0, 99);
        int procedure = Tpcc.NEW_ORDER;
        while (left >= options.mix().share(procedure)) {
            left -= options.mix().share(procedure);
            procedure++;
        }
        return procedure;
    }

    private int deal() {
        if (dealt == deck.length) {
            dealt = 0;
        }
        int picked = random.uniform(dealt, deck.length - 1);
        int procedure = deck[picked];
        deck[picked] = deck[dealt];
        deck[dealt++] = procedure;
        return procedure;
    }

    private void newOrder(Call call, int wId) {
        int lines = random.uniform(5, MAX_LINES);
        for (int i = 0; i < lines; i++) {
            itemIds[i] = NonUniform.next(random, 8_191, itemConstant, 1, options.items());
            supplyWarehouseIds[i] = wId;
            quantities[i] = random.uniform(1, 10);
        }
        if (options.distributedOrderPercent() >= 0) {
            if (random.percent(options.distributedOrderPercent())) {
                supplyWarehouseIds[random.uniform(0, lines - 1)] = foreign[random.uniform(0, foreign.length - 1)];
            }
        } else if (options.warehouses() > 1 && options.remoteLinePercent() > 0) {
            for (int i = 0; i < lines; i++) {
                if (random.percent(options.remoteLinePercent())) {
                    supplyWarehouseIds[i] = otherWarehouse(wId);
                }
            }
        }
        if (random.percent(options.rollbackPercent())) {
            itemIds[lines - 1] = options.items() + 1;
        }
        call.add(district()).add(customerId());
        call.add(itemIds, lines).add(supplyWarehouseIds, lines).add(quantities, lines);
    }

    private void payment(Call call, int wId) {
        int dId = district();
        int cWId = wId;
        int cDId = dId;
        if (options.warehouses() > 1 && random.percent(options.remotePaymentPercent())) {
            cWId = otherWarehouse(wId);
            cDId = district();
        }
        call.add(dId).add(random.uniform(100, 500_000)).add(cWId).add(cDId);
        customer(call);
    }

    /** Adds customer id and last name: in 60 of 100 cases the customer is to be found by name. */
    private void customer(Call call) {
        if (random.percent(60)) {
            int number = NonUniform.next(random, 255, nameConstant, 0, options.names() - 1);
            call.add(0).add(CustomerName.append(name.clear(), number).text());
        } else {
            call.add(customerId()).addNull();
        }
    }

    private int customerId() {
        return NonUniform.next(random, 1_023, customerConstant, 1, options.customersPerDistrict());
    }

    private int district() {
        return random.uniform(1, Tpcc.DISTRICTS);
    }

    private int otherWarehouse(int wId) {
        int other = random.uniform(1, options.warehouses() - 1);
        return other < wId ? other : other + 1;
    }
}
