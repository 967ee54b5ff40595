package io.reprise.engine;

import io.reprise.id.DatabaseId;
import io.reprise.log.LogTail;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.StorageException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code database.durable}: a log position up to which everything was on stable storage, kept outside of the log. An
 * older copy of the log's last segment is valid by itself; it ends before this position, and so is noticed.
 *
 * <pre>
 *  two slots of 4096 bytes, written in turn; little endian
 *   0  8  magic
 *   8  4  format, 1
 *  12  4  number of the slot, 0 or 1
 *  16  8  database id, first half
 *  24  8  database id, second half
 *  32  8  log position
 *  40  4  CRC32C of the 40 bytes before it
 * </pre>
 *
 * <p>The higher position of the valid slots counts. A write that a crash tears leaves the other slot, whose position is lower. The
 * file is made anew at each opening, because the force of its name may have failed before.
 *
 * <p>{@link #begin} runs on the thread that opens the engine. Afterwards this is an agent that writes at most once a second, apart
 * from commits; {@link #end} writes the last position at an orderly stop.
 */
final class DurablePosition implements Agent, AutoCloseable {
    static final String FILE = "database.durable";

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.log");
    private static final String DRAFT = FILE + ".new";
    private static final long MAGIC = 0x454C424152554452L;
    private static final int FORMAT = 1;
    private static final int SLOT = 4096;
    private static final int SLOTS = 2;
    private static final int CHECKED_BYTES = 40;
    private static final int BYTES = CHECKED_BYTES + Integer.BYTES;
    private static final long EVERY_NS = 1_000_000_000;

    private final FileStore files;
    private final DatabaseId database;
    private LongSupplier durable;
    private DataFile file;
    private int nextSlot;
    private long written;
    private long nextNs;
    private boolean begun;
    private boolean warned;

    private DurablePosition(FileStore files, DatabaseId database) {
        this.files = files;
        this.database = database;
    }

    /**
     * The content of the file.
     *
     * @param database the database whose log it is about; {@link DatabaseId#NONE} if there is no file, or no valid slot
     * @param position the log was durable up to there
     */
    record Found(DatabaseId database, long position) {
        /** Throws {@link io.reprise.log.DamagedLogException} if the log ends before the position. */
        void check(LogTail tail) {
            // A log of another database is the business of the other witness.
            if (database.equals(tail.database())) {
                tail.checkReaches(position, FILE);
            }
        }
    }

    /** Reads the file. */
    static Found read(FileStore files) {
        Found highest = new Found(DatabaseId.NONE, 0);
        if (!files.exists(FILE)) {
            return highest;
        }
        try (DataFile file = files.openReadOnly(FILE)) {
            for (int slot = 0; slot < SLOTS; slot++) {
                ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
                file.read((long) slot * SLOT, bytes);
                if (isValid(bytes, slot) && bytes.getLong(32) > highest.position()) {
                    highest = new Found(new DatabaseId(bytes.getLong(16), bytes.getLong(24)), bytes.getLong(32));
                }
            }
        } catch (StorageException e) {
            LOG.warn("The durable position of the log can't be read: {}", e.getMessage());
        }
        return highest;
    }

    private static boolean isValid(ByteBuffer bytes, int slot) {
        return bytes.position() == BYTES
                && bytes.getLong(0) == MAGIC
                && bytes.getInt(8) == FORMAT
                && bytes.getInt(12) == slot
                && bytes.getInt(CHECKED_BYTES) == checksum(bytes);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(0).limit(CHECKED_BYTES));
        return (int) crc.getValue();
    }

    /** Makes the file anew: the log is durable up to its end, and nothing that is behind it is acknowledged yet. */
    static DurablePosition begin(FileStore files, LogTail tail) {
        DurablePosition made = new DurablePosition(files, tail.database());
        made.attempt(() -> made.make(tail.position()));
        return made;
    }

    private void make(long position) {
        if (files.exists(DRAFT)) {
            files.delete(DRAFT);
        }
        DataFile draft = files.create(DRAFT);
        try {
            draft.preallocate((long) SLOTS * SLOT);
            write(draft, position);
            files.rename(DRAFT, FILE);
            files.forceDirectory("");
            file = draft;
        } finally {
            if (file == null) {
                draft.close();
            }
        }
    }

    /**
     * From now on the file follows the log.
     *
     * @param position the log's durable position; asked by this agent's thread
     */
    void follow(LongSupplier position) {
        durable = position;
    }

    @Override
    public String roleName() {
        return "log-position";
    }

    @Override
    public int doWork(long nowNs) {
        if (begun && nowNs - nextNs < 0) {
            return 0;
        }
        begun = true;
        nextNs = nowNs + EVERY_NS;
        if (file == null || durable.getAsLong() == written) {
            return 0;
        }
        attempt(() -> write(file, durable.getAsLong()));
        return 1;
    }

    /** The log's writer has ended: writes its last durable position. */
    void end() {
        if (file != null && durable.getAsLong() != written) {
            attempt(() -> write(file, durable.getAsLong()));
        }
    }

    private void write(DataFile to, long position) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putInt(FORMAT).putInt(nextSlot);
        bytes.putLong(database.high()).putLong(database.low()).putLong(position);
        bytes.putInt(checksum(bytes)).flip();
        to.write((long) nextSlot * SLOT, bytes);
        to.force();
        nextSlot = (nextSlot + 1) % SLOTS;
        written = position;
    }

    /** A full or read-only disk costs the position and nothing else; a failed force ends the engine. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (ForceFailedException e) {
            // The log may be on the same disk: whatever it doesn't confirm here may be lost there.
            throw e;
        } catch (StorageException e) {
            if (!warned) {
                warned = true;
                LOG.warn(
                        "The log's durable position can't be written outside of the log, so an older copy of the log would not be"
                                + " noticed: {}",
                        e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
