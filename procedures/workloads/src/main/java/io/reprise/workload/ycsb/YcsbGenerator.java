package io.reprise.workload.ycsb;

import io.reprise.procedure.TextBuilder;
import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;

/**
 * Draws operations and records. Several generators may insert at once: each has record numbers of its own above the
 * loaded ones, and knows of the others' only that they exist.
 */
final class YcsbGenerator implements Generator {
    private final YcsbOptions options;
    private final Placement placement;
    private final int partition;
    private final RandomValues random;
    private final Zipfian zipfian;
    private final TextBuilder value = new TextBuilder(Fields.COUNT * Fields.LENGTH);

    /** The numbers of the records that this generator inserted follow each other in steps. */
    private final long firstInsert;

    private long inserts;
    private long inserted;

    YcsbGenerator(YcsbOptions options, long seed, Placement placement, int partition) {
        this.options = options;
        this.placement = placement;
        this.partition = partition;
        this.random = new RandomValues(seed);
        this.zipfian = options.distribution() == YcsbOptions.Distribution.LATEST
                ? new Zipfian(options.records())
                : Zipfian.ofRanks();
        this.firstInsert = options.records() + ((seed & 0x7FFF) << 40);
    }

    @Override
    public int next(Call call) {
        int procedure = draw();
        call.procedure(procedure);
        switch (procedure) {
            case Ycsb.INSERT -> insert(call);
            case Ycsb.SCAN -> call.add(existing()).add(random.uniform(1, options.maxScanLength()));
            case Ycsb.READ -> call.add(existing());
            default -> {
                call.add(existing()).add(random.uniform(0, Fields.COUNT - 1));
                call.add(random.alphanumeric(value.clear(), Fields.LENGTH, Fields.LENGTH)
                        .text());
            }
        }
        return procedure;
    }

    private int draw() {
        int left = random.uniform(0, 99);
        int procedure = Ycsb.READ;
        while (left >= options.mix().share(procedure)) {
            left -= options.mix().share(procedure);
            procedure++;
        }
        return procedure;
    }

    private void insert(Call call) {
        long key = Ycsb.key(firstInsert + inserts++);
        while (elsewhere(key)) {
            key = Ycsb.key(firstInsert + inserts++);
        }
        int length = Fields.COUNT * Fields.LENGTH;
        call.add(key).add(random.alphanumeric(value.clear(), length, length).text());
    }

    private long existing() {
        long key = Ycsb.key(record());
        while (elsewhere(key)) {
            key = Ycsb.key(record());
        }
        return key;
    }

    /** The number of a record; one that was inserted may still be under way. */
    private long record() {
        return switch (options.distribution()) {
            case UNIFORM -> random.below(options.records());
            case ZIPFIAN -> scrambled(zipfian.next(random));
            case LATEST -> {
                zipfian.growTo(options.records() + inserts);
                long back = zipfian.next(random);
                yield back < inserts ? firstInsert + inserts - 1 - back : options.records() - 1 - (back - inserts);
            }
        };
    }

    /**
     * Popular records are not those inserted first, but anywhere. There are far more ranks than records, so that each record has
     * some, and the most popular one a share that does not depend on how many there are.
     */
    private long scrambled(long rank) {
        return Ycsb.key(rank) % options.records();
    }

    private boolean elsewhere(long key) {
        return partition >= 0 && placement.partitionOf(key) != partition;
    }

    @Override
    public void completed(int procedure, boolean committed, long result) {
        if (committed && procedure == Ycsb.INSERT) {
            inserted++;
        }
    }

    long inserted() {
        return inserted;
    }
}
