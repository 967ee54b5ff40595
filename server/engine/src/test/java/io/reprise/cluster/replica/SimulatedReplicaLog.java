package io.reprise.cluster.replica;

import io.reprise.runtime.Randomness;
import io.reprise.simulation.SimulatedClock;
import java.util.ArrayList;
import java.util.List;

/**
 * A replica's log on a simulated disk: a force takes time, a kill keeps what was appended, a power cut keeps what was
 * forced and some of the rest. The end of an image that was not forced leaves the mark that nothing is here.
 */
public final class SimulatedReplicaLog implements ReplicaLog {
    private final SimulatedClock clock;
    private final Randomness random;
    private final long mostForceNs;
    private final List<Long> starts = new ArrayList<>();
    private final List<ReplicaRecord> records = new ArrayList<>();
    private long imageIndex;
    private long imageEpoch;
    private byte[] image;
    private boolean loading;
    private boolean imagePending;

    private long durable;
    private long forcing = -1;
    private long forcedNs;

    /** An empty log whose forces take up to so long. */
    public SimulatedReplicaLog(SimulatedClock clock, Randomness random, long mostForceNs) {
        this.clock = clock;
        this.random = random;
        this.mostForceNs = mostForceNs;
    }

    /** The start of an incarnation, forced before the node registers. */
    public void start(long incarnation) {
        starts.add(incarnation);
    }

    /** The process ends. */
    public void crash(boolean power) {
        settle();
        forcing = -1;
        if (power) {
            long kept = durable + random.nextLong(lastIndex() - durable + 1);
            while (lastIndex() > Math.max(kept, imageIndex)) {
                records.removeLast();
            }
        }
        if (loading) {
            image = null;
            imagePending = false;
        }
        durable = lastIndex();
    }

    /** An empty disk in the place of this one, with its node's name. */
    public void wipe() {
        starts.clear();
        records.clear();
        imageIndex = 0;
        imageEpoch = 0;
        image = null;
        loading = false;
        imagePending = false;
        durable = 0;
        forcing = -1;
    }

    /** The records that recovery puts into memory. */
    public void recover(Machine machine) {
        if (image != null) {
            machine.load(image);
        }
        for (int i = 0; i < records.size(); i++) {
            if (!records.get(i).beginsEpoch()) {
                machine.apply(imageIndex + i + 1, records.get(i).payload());
            }
        }
    }

    private void settle() {
        long now = clock.nanoTime();
        while (forcing >= 0 && now >= forcedNs) {
            durable = Math.max(durable, forcing);
            forcing = -1;
            if (imagePending && durable >= imageIndex) {
                imagePending = false;
                loading = false;
            }
            if (durable < lastIndex()) {
                force(forcedNs);
            }
        }
    }

    private void force(long fromNs) {
        forcing = lastIndex();
        forcedNs = fromNs + 1 + random.nextLong(mostForceNs);
    }

    @Override
    public long lastIndex() {
        return imageIndex + records.size();
    }

    @Override
    public long imageIndex() {
        return imageIndex;
    }

    @Override
    public long epochAt(long index) {
        if (index == imageIndex) {
            return imageEpoch;
        }
        return record(index).epoch();
    }

    @Override
    public ReplicaRecord record(long index) {
        return records.get((int) (index - imageIndex - 1));
    }

    @Override
    public long lastOf(long epoch) {
        for (long index = lastIndex(); index >= imageIndex; index--) {
            if (epochAt(index) == epoch) {
                return index;
            }
        }
        return -1;
    }

    @Override
    public void append(ReplicaRecord record) {
        settle();
        if (record.epoch() < epochAt(lastIndex())) {
            throw new IllegalStateException("epoch " + record.epoch() + " behind " + epochAt(lastIndex()));
        }
        records.add(record);
        if (forcing < 0) {
            force(clock.nanoTime());
        }
    }

    @Override
    public long durableIndex() {
        settle();
        return durable;
    }

    @Override
    public void beginImage() {
        settle();
        loading = true;
        imagePending = false;
        image = null;
        records.clear();
        imageIndex = 0;
        imageEpoch = 0;
        durable = 0;
        forcing = -1;
    }

    @Override
    public void completeImage(long index, long epoch, byte[] newImage) {
        imageIndex = index;
        imageEpoch = epoch;
        image = newImage;
        imagePending = true;
        force(clock.nanoTime());
    }

    @Override
    public boolean isLoading() {
        settle();
        return loading;
    }

    @Override
    public List<Long> starts() {
        return List.copyOf(starts);
    }
}
