package io.reprise.workload.tatp;

import io.reprise.procedure.TextBuilder;
import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;

/** Draws transactions in the specified mix, on subscribers that are specified to be not quite uniform. */
final class TatpGenerator implements Generator {
    /** Percent, by position in {@code Tatp.procedures}. */
    private static final int[] SHARES = {35, 10, 35, 2, 14, 2, 2};

    private final TatpOptions options;
    private final Placement placement;
    private final int partition;
    private final RandomValues random;
    private final TextBuilder number = new TextBuilder(15);
    private final TextBuilder target = new TextBuilder(15);
    private long added;

    TatpGenerator(TatpOptions options, long seed, Placement placement, int partition) {
        this.options = options;
        this.placement = placement;
        this.partition = partition;
        this.random = new RandomValues(seed);
        if (partition >= 0 && !anyoneIn(partition)) {
            throw new IllegalArgumentException(
                    "TATP: no subscriber lives in partition " + partition + ": ask for more subscribers");
        }
    }

    @Override
    public int next(Call call) {
        int procedure = draw();
        int id = subscriber();
        call.procedure(procedure);
        if (procedure < Tatp.UPDATE_LOCATION || options.routed()) {
            call.add(id);
        }
        if (procedure >= Tatp.UPDATE_LOCATION) {
            call.add(Tatp.number(number, id).text());
        }
        switch (procedure) {
            case Tatp.GET_SUBSCRIBER_DATA -> {}
            case Tatp.GET_ACCESS_DATA -> call.add(type());
            case Tatp.GET_NEW_DESTINATION -> call.add(type()).add(startTime()).add(random.uniform(1, 24));
            case Tatp.UPDATE_SUBSCRIBER_DATA ->
                call.add(random.uniform(0, 1)).add(type()).add(random.uniform(0, 255));
            case Tatp.UPDATE_LOCATION -> call.add(1 + random.below(Tatp.LOCATIONS));
            case Tatp.INSERT_CALL_FORWARDING -> {
                call.add(type()).add(startTime()).add(random.uniform(1, 24));
                call.add(random.numeric(target.clear(), 15, 15).text());
            }
            default -> call.add(type()).add(startTime());
        }
        return procedure;
    }

    @Override
    public void completed(int procedure, boolean committed, long value) {
        if (committed && procedure == Tatp.INSERT_CALL_FORWARDING) {
            added++;
        } else if (committed && procedure == Tatp.DELETE_CALL_FORWARDING) {
            added--;
        }
    }

    long forwardingsAdded() {
        return added;
    }

    private int draw() {
        int left = random.uniform(0, 99);
        int procedure = 0;
        while (left >= SHARES[procedure]) {
            left -= SHARES[procedure];
            procedure++;
        }
        return procedure;
    }

    private int subscriber() {
        int id = anyone();
        while (partition >= 0 && placement.partitionOf(id) != partition) {
            id = anyone();
        }
        return id;
    }

    private int anyone() {
        int subscribers = options.subscribers();
        int a = subscribers <= 1_000_000 ? 65_535 : subscribers <= 10_000_000 ? 1_048_575 : 2_097_151;
        return (random.uniform(0, a) | random.uniform(1, subscribers)) % subscribers + 1;
    }

    private boolean anyoneIn(int wanted) {
        for (int id = 1; id <= options.subscribers(); id++) {
            if (placement.partitionOf(id) == wanted) {
                return true;
            }
        }
        return false;
    }

    private int type() {
        return random.uniform(1, 4);
    }

    private int startTime() {
        return 8 * random.uniform(0, 2);
    }
}
