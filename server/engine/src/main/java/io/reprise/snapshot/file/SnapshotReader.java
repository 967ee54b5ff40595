package io.reprise.snapshot.file;

import io.reprise.runtime.file.FileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds snapshots in a data directory and says whether they can be used. Any thread. */
public final class SnapshotReader {
    private final FileStore files;
    private final SnapshotDirectory directory;

    /** A reader of a data directory. */
    public SnapshotReader(FileStore files) {
        this.files = files;
        this.directory = new SnapshotDirectory(files);
    }

    /**
     * The choice of a snapshot to recover from.
     *
     * @param newest the newest snapshot that seems undamaged; empty if there is none
     * @param damaged the damage of newer ones
     */
    public record Choice(Optional<Manifest> newest, List<DamagedSnapshotException> damaged) {}

    /**
     * Chooses the newest snapshot whose manifest, file sizes, file headers and indexes are right. The blocks are checked
     * when they are read; if one is damaged then, choose again with {@link #chooseBefore}.
     */
    public Choice choose() {
        return chooseBefore(Long.MAX_VALUE);
    }

    /** The same among the snapshots that are older than this one. */
    public Choice chooseBefore(long transactionId) {
        List<DamagedSnapshotException> damaged = new ArrayList<>();
        for (long id : directory.list()) {
            if (id < transactionId) {
                try {
                    return new Choice(Optional.of(look(id)), damaged);
                } catch (DamagedSnapshotException e) {
                    damaged.add(e);
                }
            }
        }
        return new Choice(Optional.empty(), damaged);
    }

    /**
     * Looks at a snapshot's manifest, file sizes, file headers and indexes; throws {@link DamagedSnapshotException} if something
     * is wrong there.
     */
    public Manifest look(long transactionId) {
        Manifest manifest = directory.manifest(transactionId);
        try (BlockReader reader = new BlockReader(files, manifest)) {
            manifest.files().forEach(reader::open);
        }
        return manifest;
    }

    /** Reads every byte of a snapshot; throws {@link DamagedSnapshotException} at the first one that is wrong. */
    public Manifest verify(long transactionId) {
        Manifest manifest = directory.manifest(transactionId);
        manifest.parts().forEach(this::verify);
        return manifest;
    }

    private void verify(Manifest manifest) {
        ContentCheck check = new ContentCheck(manifest);
        try (BlockReader reader = new BlockReader(files, manifest)) {
            BlockRows rows = new BlockRows();
            for (DataFileEntry file : manifest.files()) {
                reader.open(file);
                for (int block = 0; block < reader.blocks(); block++) {
                    reader.read(block, rows);
                    while (rows.next()) {
                        check.add(rows);
                    }
                }
                reader.verifyWholeFile();
            }
        }
        check.check(bucket -> true);
    }
}
