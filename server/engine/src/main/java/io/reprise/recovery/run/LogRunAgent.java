package io.reprise.recovery.run;

import io.reprise.log.DamagedLogException;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.BackgroundThread;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.file.SnapshotBuffers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes runs of the durable log while the engine works: one as soon as the log has so many bytes behind the last one. Otherwise it merges runs into
 * longer ones. Runs that the newest snapshot makes needless are removed.
 *
 * <pre>
 *  IDLE --enough durable log--> READING frames --at the end of the stretch--> IDLE
 *   ^---------any failure, after a pause---+
 * </pre>
 *
 * <p>A failure of runs never stops the engine. On a thread of its own, which gives way to others.
 */
public final class LogRunAgent implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final int FRAMES = 16;
    private static final long PAUSE_NS = 10_000_000_000L;
    private static final long WAITING_BYTES = 16 << 20;

    private final LogRuns runs;
    private final Source source;
    private final long bytes;

    /** Null without images. */
    private final CommandImages images;

    private final SnapshotBuffers buffers = new SnapshotBuffers(WAITING_BYTES);
    private final LogFrame frame = new LogFrame();
    private final LogRecords records = new LogRecords();

    /** The log has runs up to here, from a snapshot on. */
    private long position;

    /** The highest position up to which runs were asked for. */
    private final AtomicLong wished = new AtomicLong();

    private final PublishedLong sorted = new PublishedLong();
    private final PublishedLong replaced = new PublishedLong();
    private final PublishedLong commands = new PublishedLong();

    /** All runs from this position on have data records only. */
    private final PublishedLong dataFrom = new PublishedLong();

    /** The position of the last frame with records in the last run. */
    private long lastFrame;

    private long notBeforeNs;
    private boolean begun;
    private boolean failing;

    /** Null while none is made. */
    private LogRunWriter writer;

    private LogReader reader;
    private final RunMerging merging;

    /**
     * The engine's side.
     *
     * @param files the data directory
     * @param durable the log's durable position
     * @param snapshot the log position of the newest snapshot
     * @param needed the log position of the oldest snapshot that runs have to reach back to
     * @param bases the log positions of all snapshots at the start, in ascending order; asked once
     * @param chosen runs have to be made of transactions behind this position to replace the log, because a choice of the recovery may leave out
     *     earlier ones
     * @param reuses whether the log is used again behind runs
     * @param threads whether the agent has a thread of its own
     */
    public record Source(
            FileStore files,
            LogSettings log,
            LongSupplier durable,
            LongSupplier snapshot,
            LongSupplier needed,
            Supplier<List<Long>> bases,
            long chosen,
            boolean reuses,
            Clock clock,
            boolean threads) {}

    /**
     * An agent that goes on where the runs end.
     *
     * @param bytes of log that a run has, at least, unless it is made on request or to make room for images
     * @param fan the number of runs that are merged into a longer one
     * @param images of commands; null: there are none
     */
    public LogRunAgent(LogRuns runs, Source source, long bytes, int fan, CommandImages images) {
        merging = new RunMerging(runs, source.files(), source.log(), source.clock(), fan);
        this.images = images;
        this.runs = runs;
        this.source = source;
        this.bytes = bytes;
    }

    @Override
    public String roleName() {
        return "runs";
    }

    @Override
    public int doWork(long nowNs) {
        if (notBeforeNs != 0 && nowNs - notBeforeNs < 0) {
            return 0;
        }
        try {
            int work = step();
            failing &= work == 0;
            return work;
        } catch (StorageException | DamagedLogException | IllegalStateException e) {
            if (!failing) {
                LOG.warn("A run of the log could not be made, and is tried again: {}", e.getMessage());
            }
            failing = true;
            notBeforeNs = nowNs + PAUSE_NS;
            abandon();
            merging.abandon();
            return 0;
        }
    }

    private int step() {
        if (!begun) {
            begun = true;
            if (source.threads()) {
                BackgroundThread.lower();
            }
            beginBehindRuns();
        }
        if (writer == null) {
            int begun = begin();
            return begun > 0
                    ? begun
                    : merging.step(
                            source.needed().getAsLong(), source.snapshot().getAsLong());
        }
        for (int i = 0; i < FRAMES; i++) {
            if (!reader.next(frame)) {
                publish();
                return 1;
            }
            records.wrap(frame);
            while (records.next()) {
                writer.add(records);
            }
        }
        return 1;
    }

    /**
     * Goes on behind the runs that there are, if they are those of the newest snapshot's log. Runs stay that only an older snapshot needs: they
     * may have taken the log's place.
     */
    private void beginBehindRuns() {
        long durable = source.durable().getAsLong();
        long snapshot = source.snapshot().getAsLong();
        List<LogRun> chain = List.of();
        List<LogRun> kept = new ArrayList<>();
        for (long base : source.bases().get()) {
            List<LogRun> found = runs.usable(base, source.files(), source.log(), durable);
            chain = found.isEmpty() ? chain : found;
            kept.addAll(found);
        }
        runs.removeAllBut(kept);
        boolean goesOn = !chain.isEmpty() && (source.reuses() || chain.getLast().end() > snapshot);
        chain = goesOn ? chain : List.of();
        position = goesOn ? chain.getLast().end() : snapshot;
        long data = position;
        for (LogRun run : chain.reversed()) {
            if (!run.isData()) {
                break;
            }
            data = run.begin();
        }
        dataFrom.set(Math.max(data, source.chosen()));
        if (goesOn) {
            lastFrame = chain.getLast().lastFrame();
        }
        merging.begin(chain);
    }

    /**
     * Any thread: the log is not needed below this position, because runs have the changed rows of all transactions between it and the
     * oldest snapshot; 0: the log is needed.
     */
    public long replaced() {
        return replaced.get();
    }

    /** Any thread: all runs from this position on have data records only. */
    public long dataFrom() {
        return dataFrom.get();
    }

    /** Any thread: the commands in runs that were made since the start. */
    public long commands() {
        return commands.get();
    }

    private void goOnBehind(LogRunWriter made) {
        commands.set(commands.get() + made.commands());
        if (!made.isData()) {
            dataFrom.set(Math.max(dataFrom.get(), made.end()));
        }
        position = made.end();
        lastFrame = made.lastFrame() < 0 ? lastFrame : made.lastFrame();
        close(made);
        sorted.set(position);
        if (images != null) {
            images.sortedUpTo(position);
        }
        long needed = source.needed().getAsLong();
        runs.removeUpTo(needed);
        merging.removedUpTo(needed);
        // A start recognizes the log by the last frame of the last run.
        replaced.set(dataFrom.get() <= needed ? lastFrame : 0);
    }

    private int begin() {
        long durable = source.durable().getAsLong();
        long snapshot = source.snapshot().getAsLong();
        if (snapshot > position && images == null && !source.reuses()) {
            // With images it would pass over commands, and their images would keep the room. Older snapshots need all
            // runs if the log is used again.
            position = snapshot;
        }
        if (durable - position < bytes && !isDue(durable)) {
            return 0;
        }
        if (images != null && images.comeBehind(position) && !isDue(durable)) {
            return 0;
        }
        long first = new LogDirectory(source.files(), source.log().directory())
                .positions()
                .getFirst();
        if (first > position) {
            position = first;
            dataFrom.set(Math.max(dataFrom.get(), first));
        }
        // The snapshot's own runs may have data records only, though those before it have commands.
        long end = source.reuses() && position < snapshot ? Math.min(snapshot, durable) : durable;
        writer = new LogRunWriter(runs, position, end, buffers, images);
        reader = LogReader.upTo(source.files(), source.log(), runs.database(), position, end);
        return 1;
    }

    private boolean isDue(long durable) {
        long wish = wished.get();
        boolean isWished = wish > position && wish <= durable;
        return durable > position && (isWished || images != null && images.needReading());
    }

    /** Any thread: asks for runs up to a durable position, as soon as possible. */
    public void wish(long durablePosition) {
        wished.accumulateAndGet(durablePosition, Math::max);
    }

    /** Any thread: the runs that follow each other, in log order, as soon as they are known. */
    public Optional<List<LogRun>> chain() {
        return merging.chain();
    }

    /** Any thread: the position up to which runs were made since the start. */
    public long sorted() {
        return sorted.get();
    }

    private void publish() {
        merging.add(writer.publish(source.clock().epochMicros()));
        goOnBehind(writer);
    }

    private void close(LogRunWriter made) {
        made.close();
        writer = null;
        reader.close();
        reader = null;
    }

    private void abandon() {
        if (writer == null) {
            return;
        }
        try {
            writer.discard();
        } catch (StorageException e) {
            // The next run, or the next start, removes it.
            LOG.debug("A run was not removed", e);
        }
        writer.close();
        writer = null;
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    /** Drops what is under way, after the agent's thread has ended. */
    @Override
    public void close() {
        abandon();
        merging.close();
        buffers.close();
        frame.close();
        if (images != null) {
            images.close();
        }
    }
}
