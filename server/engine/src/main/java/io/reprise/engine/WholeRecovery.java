package io.reprise.engine;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The note in a data directory of a cluster's node that its next recovery loads all rows first: the last one on demand has met a bucket that could not be
 * loaded. A recovery of all rows passes over damaged snapshots, and refuses to open after a divergence. Its end removes the note.
 */
final class WholeRecovery {
    private static final String NOTE = "recover-all-rows";
    private static final String TEXT =
            "A bucket could not be loaded on demand. The next start recovers all rows first.\n";

    private WholeRecovery() {}

    static boolean isDue(FileStore files) {
        return files.exists(NOTE);
    }

    /** Leaves the note. Without it the next recovery meets the same bucket, and leaves it then. */
    static void ask(FileStore files) {
        if (isDue(files)) {
            return;
        }
        try (DataFile file = files.create(NOTE)) {
            file.write(0, ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.US_ASCII)));
            file.force();
            files.forceDirectory("");
        } catch (StorageException e) {
            Reprise.LOG.warn("The next start does not know that it has to recover all rows first", e);
        }
    }

    static void over(FileStore files) {
        if (isDue(files)) {
            files.delete(NOTE);
            files.forceDirectory("");
        }
    }
}
