package io.reprise.cluster.replica;

import io.reprise.runtime.Randomness;
import io.reprise.simulation.SimulatedClock;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A replica's log on a simulated disk: a force takes time, a kill keeps what was appended, a power cut keeps what was
 * forced and some of the rest. The end of an image that was not forced leaves the mark that nothing is here.
 *
 * <p>Only the last records are at hand, if the log has a window. Older ones are read, which takes time and may fail.
 */
public final class SimulatedReplicaLog implements ReplicaLog {
    private static final int ROOM = 3;

    private final SimulatedClock clock;
    private final Randomness random;
    private final long mostForceNs;
    private final int window;
    private final List<Long> starts = new ArrayList<>();
    private final List<ReplicaRecord> records = new ArrayList<>();
    private long imageIndex;
    private long imageEpoch;
    private byte[] image;
    private final ByteArrayOutputStream arriving = new ByteArrayOutputStream();
    private int pieces;
    private boolean loading;
    private boolean imagePending;

    /** Records at or below this index are not at hand. */
    private long trimmed;

    /** Up to this index a reading of older records has failed. */
    private long unreadable;

    private long olderRecords;

    /** So many records may wait for their force. */
    private int ring = Integer.MAX_VALUE;

    private NotedLine noted = NotedLine.NONE;

    /** The line that a loss of power leaves. */
    private NotedLine durablyNoted = NotedLine.NONE;

    private long notedNs;

    /** The last record ahead of the noted line. */
    private long notedBehind;

    /** Draws the time that a note takes; null if it takes none. */
    private Randomness notes;

    private long durable;
    private long forcing = -1;
    private long forcedNs;

    /** An empty log whose forces take up to so long. */
    public SimulatedReplicaLog(SimulatedClock clock, Randomness random, long mostForceNs) {
        this(clock, random, mostForceNs, Integer.MAX_VALUE);
    }

    /** The same with so many records at hand. */
    public SimulatedReplicaLog(SimulatedClock clock, Randomness random, long mostForceNs, int window) {
        this.window = window;
        this.clock = clock;
        this.random = random;
        this.mostForceNs = mostForceNs;
    }

    /** Bounds the records that wait for their force. */
    public void ring(int records) {
        ring = records;
    }

    /** From now on it takes time until a noted line is durable. */
    public void delayNotes(Randomness drawn) {
        notes = drawn;
    }

    @Override
    public void note(NotedLine line) {
        if (isNoted()) {
            durablyNoted = noted;
        }
        noted = line;
        notedBehind = lastIndex();
        notedNs = notes == null ? 0 : clock.nanoTime() + 1 + notes.nextLong(mostForceNs);
    }

    @Override
    public NotedLine noted() {
        return noted;
    }

    @Override
    public boolean isNoted() {
        return clock.nanoTime() >= notedNs || durableIndex() > notedBehind;
    }

    private long waiting() {
        return records.size() - Math.max(0, durableIndex() - imageIndex);
    }

    /** There is room for any message that asks before each record, and for the record of an epoch. */
    @Override
    public boolean hasRoom() {
        return waiting() <= ring - ROOM;
    }

    /** The start of an incarnation, forced before the node registers. */
    public void start(long incarnation) {
        starts.add(incarnation);
    }

    /** The process ends. */
    public void crash(boolean power) {
        settle();
        forcing = -1;
        boolean isNoted = isNoted();
        if (power) {
            long kept = durable + random.nextLong(lastIndex() - durable + 1);
            while (lastIndex() > Math.max(kept, imageIndex)) {
                records.removeLast();
            }
        }
        if (power && !isNoted && lastIndex() <= notedBehind) {
            noted = durablyNoted;
        }
        notedNs = 0;
        if (loading) {
            image = null;
            imagePending = false;
        }
        durable = lastIndex();
    }

    /** An empty disk in the place of this one, with its node's name. */
    public void wipe() {
        starts.clear();
        noted = NotedLine.NONE;
        durablyNoted = NotedLine.NONE;
        records.clear();
        imageIndex = 0;
        imageEpoch = 0;
        image = null;
        loading = false;
        pieces = 0;
        imagePending = false;
        trimmed = 0;
        unreadable = 0;
        durable = 0;
        forcing = -1;
    }

    /** The records that recovery puts into memory. */
    public void recover(WholeState machine) {
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
        return Math.max(imageIndex, trimmed);
    }

    @Override
    public long oldestIndex() {
        return Math.max(imageIndex, unreadable);
    }

    @Override
    public OlderRecords older(long index) {
        return new Older(index);
    }

    /** The number of records that were read because they were not at hand. */
    public long olderRecords() {
        return olderRecords;
    }

    /** A reading of older records, which takes time and may fail. */
    private final class Older implements OlderRecords {
        private final long from;
        private final long beginNs = clock.nanoTime() + random.nextLong(100_000_000);
        private final long recordNs = 1 + random.nextLong(1_000_000);
        private final long failNs = random.chance(0.2) ? beginNs + random.nextLong(100_000_000) : Long.MAX_VALUE;
        private long released;
        private boolean closed;

        Older(long from) {
            this.from = from;
        }

        @Override
        public boolean isReady() {
            return isHere(from);
        }

        private boolean isHere(long index) {
            return !isGone() && index <= durableIndex() && clock.nanoTime() >= beginNs + (index - from) * recordNs;
        }

        @Override
        public boolean isGone() {
            boolean gone = clock.nanoTime() >= failNs;
            unreadable = gone ? Math.max(unreadable, from) : unreadable;
            return gone;
        }

        @Override
        public ReplicaRecord record(long index) {
            if (closed || index < Math.max(from, released)) {
                throw new IllegalStateException("record " + index + " is asked for, which was released");
            }
            if (!isHere(index)) {
                return null;
            }
            olderRecords++;
            return at(index);
        }

        @Override
        public void release(long index) {
            released = Math.max(released, index);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Override
    public long epochAt(long index) {
        if (index == imageIndex) {
            return imageEpoch;
        }
        return at(index).epoch();
    }

    @Override
    public ReplicaRecord record(long index) {
        if (index <= trimmed) {
            throw new IllegalStateException("record " + index + " is not at hand any more");
        }
        return at(index);
    }

    private ReplicaRecord at(long index) {
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
        if (waiting() >= ring) {
            throw new IllegalStateException("no room in the log's ring; was it asked?");
        }
        if (record.epoch() < epochAt(lastIndex())) {
            throw new IllegalStateException("epoch " + record.epoch() + " behind " + epochAt(lastIndex()));
        }
        records.add(record);
        trimmed = Math.max(trimmed, Math.min(durable, lastIndex() - window));
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
        arriving.reset();
        pieces = 0;
        imagePending = false;
        image = null;
        records.clear();
        imageIndex = 0;
        imageEpoch = 0;
        trimmed = 0;
        unreadable = 0;
        durable = 0;
        forcing = -1;
    }

    @Override
    public void addToImage(byte[] piece) {
        arriving.writeBytes(piece);
        pieces++;
    }

    @Override
    public int imagePieces() {
        return pieces;
    }

    @Override
    public void completeImage(long index, long epoch) {
        completeImage(index, epoch, arriving.toByteArray());
    }

    /** The same at once. */
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
