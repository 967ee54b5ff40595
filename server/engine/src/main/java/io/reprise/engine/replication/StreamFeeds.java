package io.reprise.engine.replication;

import io.reprise.id.DatabaseId;
import io.reprise.log.LogSettings;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The reading of a node's log for peers that lag further than the windows of streams: one {@link FeedReader} for each peer and
 * partition.
 *
 * <p>Any site's thread asks for feeds; a thread of its own reads. While it reads, the log keeps the segments from the place on at which
 * the last reader is.
 */
public final class StreamFeeds implements Agent, AutoCloseable {
    private static final int MOST_ASKED = 1024;
    private static final long IDLE_NS = 1_000_000;
    private static final long MOST_IDLE_NS = 20_000_000;

    /**
     * The log of a node.
     *
     * @param durable tells the log's durable position
     */
    public record Source(FileStore files, LogSettings log, DatabaseId database, LongSupplier durable) {}

    private final Source source;
    private final Waker waker;
    private final MpscRing<StreamFeed> asked;
    private final List<FeedReader> readers = new ArrayList<>();
    private final PublishedLong keptFrom = new PublishedLong();

    /** No feeds. The waker is null if the agent is stepped. */
    public StreamFeeds(Source source, Waker waker) {
        this.source = source;
        this.waker = waker;
        asked = new MpscRing<>(MOST_ASKED, waker);
        keptFrom.set(Long.MAX_VALUE);
    }

    /** A feed of a partition's records from an index on, as {@link StreamFeed} has them. Any site's thread. */
    StreamFeed open(int partition, long from, EpochTable epochs, Waker site, Runnable onGone) {
        StreamFeed feed = new StreamFeed(partition, from, epochs, site, waker, onGone);
        if (!asked.offer(feed)) {
            feed.fail("too many peers lag");
        }
        return feed;
    }

    /** The log is kept from this position on. Any thread. */
    public long keptFrom() {
        return keptFrom.get();
    }

    @Override
    public String roleName() {
        return "feed";
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        for (StreamFeed next = asked.poll(); next != null; next = asked.poll()) {
            readers.add(new FeedReader(source, next));
            work++;
        }
        if (readers.isEmpty()) {
            return work;
        }
        for (FeedReader reader : readers) {
            work += reader.step();
        }
        readers.removeIf(FeedReader::isEnded);
        long lowest = Long.MAX_VALUE;
        for (FeedReader reader : readers) {
            lowest = Math.min(lowest, reader.position());
        }
        keptFrom.set(lowest);
        return work;
    }

    /** The idling of its thread. */
    public IdleStrategy idle() {
        return new ParkingIdleStrategy(waker, 0, 0, IDLE_NS, MOST_IDLE_NS);
    }

    @Override
    public void close() {
        readers.forEach(FeedReader::end);
        readers.clear();
    }
}
