package io.reprise.engine;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code database.id}: tells that the data directory has a log, and of which database. The log may be on a
 * disk of its own; if that is not mounted, a directory without snapshots would look like a new one.
 *
 * <pre>
 *  This directory has a log, perhaps on a disk of its own. It is that of database
 *  0123456789abcdef1122334455667788     its id
 *  89abcdef                             CRC32C of these 32 digits
 * </pre>
 *
 * <p>It is there only while there is a log that must not be lost, and mostly then: it is written when the log is
 * durable, and removed before one in which there is nothing is made anew. It is written at each opening, whether it
 * is there or not: the force of its name may have failed the last time, and such a name never becomes durable.
 */
public final class LogWitness {
    public static final String FILE = "database.id";

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final String DRAFT = FILE + ".new";
    private static final String HEAD = "This directory has a log, perhaps on a disk of its own. It is that of database";
    private static final Pattern FORM = Pattern.compile(Pattern.quote(HEAD) + "\\n([0-9a-f]{32})\\n([0-9a-f]{8})\\n");
    private static final int MOST_BYTES = 1024;

    private final FileStore files;

    LogWitness(FileStore files) {
        this.files = files;
    }

    /** Whether the directory says that there is a log, and so that an engine has been at work in it. */
    static boolean isIn(FileStore files) {
        return files.exists(FILE);
    }

    /** There is no log: throws if there was one. */
    void checkNoLog(String folder) {
        if (files.exists(FILE)) {
            throw new IllegalStateException("The data directory had a log, "
                    + id().map(id -> "of database " + id + ", ").orElse("") + "as its file " + FILE
                    + " says, but there is none now: the folder " + folder
                    + " is empty or missing. If that is on a disk of its own, mount it; or put the log back, or restore a"
                    + " backup into another directory. To begin a new database here, remove " + FILE + ".");
        }
    }

    /** There is a log: throws if it is that of another database. */
    void checkIsOf(DatabaseId database, String folder) {
        Optional<String> id = id();
        if (id.isPresent() && !id.get().equals(database.toString())) {
            throw new IllegalStateException(
                    "The data directory is that of database " + id.get() + ", as its file " + FILE
                            + " says, and the log in folder " + folder + " is of database " + database
                            + ". If another disk was mounted there, mount the right one. If this log is to be used, remove "
                            + FILE
                            + ". Nothing has been changed.");
        }
    }

    /** A log without content is going to be made anew; an interruption in that has had no log. */
    void remove() {
        if (files.exists(FILE)) {
            files.delete(FILE);
            files.forceDirectory("");
        }
    }

    /**
     * The log is durable. A file that can't be written, because there is no room or it is not allowed, is written
     * another time.
     */
    void write(DatabaseId database) {
        try {
            if (files.exists(DRAFT)) {
                files.delete(DRAFT);
            }
            try (DataFile file = files.create(DRAFT)) {
                file.write(0, ByteBuffer.wrap(text(database.toString()).getBytes(StandardCharsets.US_ASCII)));
                file.force();
            }
            files.rename(DRAFT, FILE);
            files.forceDirectory("");
        } catch (ForceFailedException e) {
            // If the disk does not confirm this, it may not confirm the log either.
            throw e;
        } catch (StorageException e) {
            // There was no such file once, and a directory that only its folders' owner may write in has none now.
            if (id().isEmpty()) {
                LOG.warn("It is not noted in the data directory that it has a log: {}", e.getMessage());
            }
        }
    }

    private static String text(String id) {
        return String.join("\n", HEAD, id, checksum(id), "");
    }

    private static String checksum(String id) {
        CRC32C crc = new CRC32C();
        crc.update(id.getBytes(StandardCharsets.US_ASCII));
        return String.format("%08x", crc.getValue());
    }

    /** The database of which the directory has, or had, a log; empty if the file does not tell. */
    Optional<DatabaseId> database() {
        return id().map(id ->
                new DatabaseId(HexFormat.fromHexDigitsToLong(id, 0, 16), HexFormat.fromHexDigitsToLong(id, 16, 32)));
    }

    /** The id in the file; empty if there is none, or none that makes sense. */
    private Optional<String> id() {
        if (!files.exists(FILE)) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        try (DataFile file = files.openReadOnly(FILE)) {
            file.read(0, bytes);
        } catch (StorageException e) {
            LOG.warn("The data directory's note about its log can't be read: {}", e.getMessage());
        }
        Matcher form = FORM.matcher(new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1));
        return form.matches() && checksum(form.group(1)).equals(form.group(2))
                ? Optional.of(form.group(1))
                : Optional.empty();
    }
}
