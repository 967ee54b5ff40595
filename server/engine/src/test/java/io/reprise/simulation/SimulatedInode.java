package io.reprise.simulation;

import io.reprise.runtime.Randomness;
import java.util.ArrayList;
import java.util.List;

/**
 * A file's bytes, twice: as the running system sees them (its page cache) and as they are on the medium; with the
 * changes between the two in the order in which they were made. A force carries all of them to the medium, a crash
 * some.
 */
final class SimulatedInode implements SimulatedNode {
    private static final int SECTOR = 512;

    private SparseBytes cached = new SparseBytes();
    private SparseBytes durable = new SparseBytes();
    private final List<Change> pending = new ArrayList<>();

    /** The share of the unforced changes that a crash, or a force that fails, leaves on the medium. */
    private enum Survival {
        NONE,
        ALL,
        /** The first so many changes, the last of them torn. */
        PREFIX,
        /** Each sector for itself: reordering. */
        SECTORS
    }

    private sealed interface Change {}

    /** The bytes' place on the medium may differ from the intended one. */
    private record Write(long position, byte[] bytes) implements Change {}

    private record Resize(long size) implements Change {}

    long size() {
        return cached.size();
    }

    byte[] read(long position, int length) {
        int available = (int) Math.max(0, Math.min(length, cached.size() - position));
        return cached.copy(position, available);
    }

    void write(long position, byte[] bytes) {
        misdirectedWrite(position, position, bytes);
    }

    /** The running system sees the write where it should be, the medium gets it elsewhere. */
    void misdirectedWrite(long position, long landsAt, byte[] bytes) {
        cached.put(position, bytes, 0, bytes.length);
        if (landsAt != position) {
            pending.add(new Resize(Math.max(durableSizeToBe(), position + bytes.length)));
        }
        pending.add(new Write(landsAt, bytes));
    }

    /** The running system sees the write, the medium never gets it. */
    void lostWrite(long position, byte[] bytes) {
        cached.put(position, bytes, 0, bytes.length);
        pending.add(new Resize(Math.max(durableSizeToBe(), position + bytes.length)));
    }

    void resize(long size) {
        cached.resize(size);
        pending.add(new Resize(size));
    }

    void force() {
        for (Change change : pending) {
            apply(change);
        }
        pending.clear();
    }

    /**
     * Fails a force: some changes reach the medium, the others never will, because the system takes their pages for
     * clean from now on. File systems differ in whether they still show the lost changes.
     */
    void failForce(Randomness random) {
        applySome(random);
        if (random.chance(0.5)) {
            cached = durable.copy();
        }
    }

    /** The system may read pages that it takes for written again at any time, and finds the medium's content. */
    void forgetCleanPages() {
        if (pending.isEmpty()) {
            long size = cached.size();
            cached = durable.copy();
            cached.resize(size);
        }
    }

    /** Power loss: some of the pending changes are on the medium, and the cache is gone. */
    void crash(Randomness random) {
        applySome(random);
        cached = durable.copy();
    }

    void flipBit(long position, int bit) {
        if (position < cached.size()) {
            cached.put(position, (byte) (cached.at(position) ^ 1 << bit));
        }
        if (position < durable.size()) {
            durable.put(position, (byte) (durable.at(position) ^ 1 << bit));
        }
    }

    private void applySome(Randomness random) {
        switch (Survival.values()[random.nextInt(Survival.values().length)]) {
            case NONE -> {}
            case ALL -> pending.forEach(this::apply);
            case PREFIX -> applyPrefix(random);
            case SECTORS -> applySectors(random);
        }
        pending.clear();
    }

    private void applyPrefix(Randomness random) {
        if (pending.isEmpty()) {
            return;
        }
        int last = random.nextInt(pending.size());
        for (int i = 0; i < last; i++) {
            apply(pending.get(i));
        }
        if (pending.get(last) instanceof Write(long position, byte[] bytes)) {
            int kept = random.nextInt(bytes.length + 1);
            durable.put(position, bytes, 0, kept);
            if (random.chance(0.2)) {
                fillWithGarbage(position + kept, position + bytes.length, random);
            }
        }
    }

    private void applySectors(Randomness random) {
        double probability = random.nextDouble();
        for (Change change : pending) {
            switch (change) {
                case Resize resize -> {
                    if (random.chance(probability)) {
                        apply(resize);
                    }
                }
                case Write(long position, byte[] bytes) -> applySectors(position, bytes, probability, random);
            }
        }
    }

    private void applySectors(long position, byte[] bytes, double probability, Randomness random) {
        for (int from = 0; from < bytes.length; ) {
            int to = (int) Math.min(bytes.length, from + SECTOR - (position + from) % SECTOR);
            if (random.chance(probability)) {
                durable.put(position + from, bytes, from, to - from);
            }
            from = to;
        }
    }

    /** Some file systems let a file grow over blocks whose old content they have not overwritten yet. */
    private void fillWithGarbage(long from, long to, Randomness random) {
        for (long position = Math.max(from, durable.size()); position < to; position++) {
            durable.put(position, (byte) random.nextInt(256));
        }
    }

    private void apply(Change change) {
        switch (change) {
            case Write(long position, byte[] bytes) -> durable.put(position, bytes, 0, bytes.length);
            case Resize(long size) -> durable.resize(size);
        }
    }

    private long durableSizeToBe() {
        long size = durable.size();
        for (Change change : pending) {
            size = switch (change) {
                case Write(long position, byte[] bytes) -> Math.max(size, position + bytes.length);
                case Resize(long newSize) -> newSize;
            };
        }
        return size;
    }
}
