package io.reprise.engine.replication;

import io.reprise.log.DamagedLogException;
import io.reprise.log.GrowingLog;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.recovery.replay.ImageRecord;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reading of a node's log for a {@link StreamFeed}: it counts the stream's records from a place at which their number is known,
 * and passes on those that the peer does not have.
 *
 * <p>Such places are the beginnings of snapshots, behind which a START record has the numbers, and the beginning of the log. The newest
 * place before the first wanted record counts. Owned by the thread of {@link StreamFeeds}.
 */
final class FeedReader {
    private static final Logger LOG = LoggerFactory.getLogger(FeedReader.class);

    private static final long CHUNK_BYTES = 256 << 10;
    private static final long UNKNOWN = -1;
    private static final byte[] EPOCH = {};

    private final StreamFeeds.Source source;
    private final StreamFeed feed;
    private final LogFrame frame = new LogFrame();
    private final LogRecords records = new LogRecords();
    private final Scratch scratch = new Scratch();

    /** The places that were not tried yet, the newest first; null before the first step. */
    private Deque<Long> places;

    private GrowingLog log;

    /** The number of records of the stream up to here. */
    private long count = UNKNOWN;

    private final List<byte[]> gathered = new ArrayList<>();
    private long gatheredFrom;
    private long gatheredBytes;
    private boolean ended;

    FeedReader(StreamFeeds.Source source, StreamFeed feed) {
        this.source = source;
        this.feed = feed;
    }

    /** The log is needed from this position on. */
    long position() {
        return log == null ? 0 : log.position();
    }

    boolean isEnded() {
        return ended;
    }

    /** Reads a frame at most. Returns how much was done. */
    int step() {
        if (feed.isClosed()) {
            end();
            return 1;
        }
        if (gatheredBytes >= CHUNK_BYTES && !pass()) {
            return 0;
        }
        try {
            if (log == null) {
                begin();
                return 1;
            }
            if (!log.next(frame)) {
                return !gathered.isEmpty() && pass() ? 1 : 0;
            }
            readFrame();
        } catch (StorageException | DamagedLogException | DamagedSnapshotException e) {
            LOG.warn(
                    "Partition {}: the log can't be read for a replica that lags, which gets an image instead: {}",
                    feed.partition(),
                    e.getMessage());
            fail(e.getMessage());
        }
        return 1;
    }

    private void begin() {
        if (places == null) {
            places = places();
        }
        Long next = places.poll();
        if (next == null) {
            fail("the log does not go back so far");
            return;
        }
        count = next == 0 ? 0 : UNKNOWN;
        log = new GrowingLog(source.files(), source.log(), source.database(), next, source.durable());
    }

    private Deque<Long> places() {
        long first = new LogDirectory(source.files(), source.log().directory())
                .positions()
                .getFirst();
        Deque<Long> found = new ArrayDeque<>();
        SnapshotDirectory snapshots = new SnapshotDirectory(source.files());
        for (long id : snapshots.list()) {
            try {
                Manifest manifest = snapshots.manifest(id);
                if (manifest.origin().logPosition() >= first) {
                    found.add(manifest.origin().logPosition());
                }
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                LOG.debug("Snapshot {} is no place to begin at: {}", SnapshotDirectory.name(id), e.getMessage());
            }
        }
        if (first == 0) {
            found.add(0L);
        }
        return found;
    }

    private void readFrame() {
        records.wrap(frame);
        while (log != null && records.next()) {
            if (count == UNKNOWN) {
                learnCount();
            } else if (records.partition() == feed.partition()) {
                take();
            }
        }
    }

    /** The first record behind a snapshot's beginning has the numbers of all streams. */
    private void learnCount() {
        switch (records.kind()) {
            case START -> {
                long known = NodeStreams.lastIndex(ByteBuffer.wrap(records.payloadCopy()), feed.partition());
                if (known == UNKNOWN || known >= feed.from()) {
                    giveUpPlace();
                } else {
                    count = known;
                }
            }
            case COMMAND, DATA, CALLS, TRANSACTION, SCHEMA, MOVE, EPOCH, IMAGE -> giveUpPlace();
            default -> {}
        }
    }

    private void giveUpPlace() {
        log.close();
        log = null;
    }

    private void take() {
        switch (records.kind()) {
            case EPOCH -> add(EPOCH);
            case COMMAND, DATA, CALLS, TRANSACTION, SCHEMA, MOVE -> {
                if (count + 1 >= feed.from()) {
                    add(StreamState.copy(records, scratch));
                } else {
                    count++;
                }
            }
            case IMAGE -> {
                ImageRecord image = ImageRecord.decode(records.payloadCopy());
                if (image.part() == ImageRecord.Part.BEGIN) {
                    gathered.clear();
                    count = 0;
                } else if (image.part() == ImageRecord.Part.END) {
                    count = image.index();
                    if (count >= feed.from()) {
                        fail("an image has its records");
                    }
                }
            }
            default -> {}
        }
    }

    private void add(byte[] record) {
        count++;
        if (count < feed.from()) {
            return;
        }
        if (gathered.isEmpty()) {
            gatheredFrom = count;
            gatheredBytes = 0;
        }
        gathered.add(record);
        gatheredBytes += record.length;
    }

    /** Passes on what was gathered. Returns false if there is no room. */
    private boolean pass() {
        if (!feed.offer(new StreamFeed.Chunk(gatheredFrom, gathered.toArray(new byte[0][]), gatheredBytes))) {
            return false;
        }
        gathered.clear();
        gatheredBytes = 0;
        return true;
    }

    private void fail(String why) {
        feed.fail(why);
        end();
    }

    /** Gives its memory and files back. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        if (log != null) {
            log.close();
            log = null;
        }
        frame.close();
        scratch.close();
    }
}
