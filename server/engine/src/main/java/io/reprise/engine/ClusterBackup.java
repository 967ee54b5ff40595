package io.reprise.engine;

import io.reprise.id.TransactionId;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node's share of a cluster's backup: a snapshot, the log behind it up to the cut, and a note. The node is at work meanwhile, and
 * nothing in its directory is changed.
 *
 * <pre>
 *  DIR/node-N/snapshot/..., DIR/node-N/log/...
 *  DIR/node-N/cluster-backup     written last, lines: cluster=, cut= (hexadecimal), partitions= (of the cluster), held=0,1,4
 * </pre>
 */
public final class ClusterBackup {
    private static final String NOTE = "cluster-backup";
    private static final int MOST_NOTE_BYTES = 1 << 20;
    private static final long MARGIN_MICROS = 5_000_000;
    private static final LogSettings LOG = LogSettings.DEFAULTS;

    private ClusterBackup() {}

    /**
     * The note of a node's share.
     *
     * @param cluster the cluster's name
     * @param cut the transaction up to which the backup goes
     * @param partitions the number of the cluster's partitions
     * @param held the partitions whose replicas were in sync at the node
     */
    public record Note(String cluster, long cut, int partitions, List<Integer> held) {
        private String encoded() {
            return "cluster=" + cluster + "\ncut=" + Long.toHexString(cut) + "\npartitions=" + partitions + "\nheld="
                    + String.join(",", held.stream().map(String::valueOf).toList()) + "\n";
        }

        private static Note read(FileStore share) {
            SortedMap<String, String> lines = new TreeMap<>();
            ClusterBackup.text(share, NOTE).lines().forEach(line -> {
                int at = line.indexOf('=');
                if (at > 0) {
                    lines.put(line.substring(0, at), line.substring(at + 1));
                }
            });
            try {
                String held = lines.getOrDefault("held", "");
                return new Note(
                        lines.getOrDefault("cluster", ""),
                        Long.parseUnsignedLong(lines.getOrDefault("cut", ""), 16),
                        Integer.parseInt(lines.getOrDefault("partitions", "")),
                        held.isEmpty()
                                ? List.of()
                                : Arrays.stream(held.split(","))
                                        .map(Integer::valueOf)
                                        .toList());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("the note of a backup is damaged: " + lines, e);
            }
        }
    }

    /**
     * The snapshot from which a share begins: one of well before the cut, because clocks of nodes differ. Empty if the log reaches
     * back to its beginning.
     */
    public static Optional<Manifest> base(Path data, long cut) {
        DataDirectory source = DataDirectory.at(data);
        long latest = TransactionId.epochMicros(cut) - MARGIN_MICROS;
        for (long id : source.snapshots()) {
            if (TransactionId.epochMicros(id) <= latest) {
                return Optional.of(source.manifest(id));
            }
        }
        List<Long> positions = source.segments();
        if (!positions.isEmpty() && positions.getFirst() == 0) {
            return Optional.empty();
        }
        throw new IllegalArgumentException("the data directory has no snapshot from before the cut; try again in "
                + MARGIN_MICROS / 1_000_000 + " seconds");
    }

    /** The text of a small file. */
    static String text(FileStore files, String path) {
        try (DataFile file = files.openReadOnly(path)) {
            byte[] bytes = new byte[(int) Math.min(file.size(), MOST_NOTE_BYTES)];
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment read = arena.allocate(Math.max(1, bytes.length));
                file.read(0, read.asSlice(0, bytes.length));
                MemorySegment.copy(read, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Whether the node has the cut of these partitions in its durable log. It says how far that is once a second at most. */
    public static boolean isDurable(Path data, long cut, List<Integer> held) {
        FileStore files = DataDirectory.at(data).files();
        DurablePosition.Found durable = DurablePosition.read(files);
        long from = base(data, cut).map(m -> m.origin().logPosition()).orElse(0L);
        RecoveryCut found = new RecoveryCut(cut);
        LogRecords records = new LogRecords();
        try (LogReader reader = LogReader.upTo(files, LOG, durable.database(), from, durable.position());
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    found.record(records);
                }
            }
        }
        return held.stream().allMatch(found::isReached);
    }

    /**
     * Copies a node's share, after the cut was made and is durable.
     *
     * @param base the snapshot from which the share begins
     * @param folder the new folder of this node's share
     */
    public static void copy(Path data, Optional<Manifest> base, Note note, Path folder) {
        DataDirectory source = DataDirectory.at(data);
        FileStore into = SystemFileStore.open(folder);
        if (!into.list("").isEmpty()) {
            throw new StorageException("make a backup", folder.toString(), "it is not empty; name a new folder", null);
        }
        copy(source, base, DurablePosition.read(source.files()).position(), into);
        try (DataFile file = into.create(NOTE)) {
            file.write(0, ByteBuffer.wrap(note.encoded().getBytes(StandardCharsets.UTF_8)));
            file.force();
        }
        into.forceDirectory("");
    }

    /** Copies a share into an empty directory, in which it can be recovered. */
    static void copyShare(Path share, FileStore into) {
        DataDirectory source = DataDirectory.at(share);
        List<Long> snapshots = source.snapshots();
        Optional<Manifest> base =
                snapshots.isEmpty() ? Optional.empty() : Optional.of(source.manifest(snapshots.getFirst()));
        copy(source, base, Long.MAX_VALUE, into);
    }

    private static void copy(DataDirectory source, Optional<Manifest> base, long end, FileStore into) {
        base.ifPresent(manifest -> PastRestore.copySnapshot(
                DetachedSnapshot.in(
                        source.files(),
                        SnapshotDirectory.path(manifest.identity().transactionId())),
                into));
        PastRestore.copyLog(source, end, base.map(m -> m.origin().logPosition()).orElse(0L), into);
    }

    /** The shares in the folder of a backup, by the name of their folders. */
    public static SortedMap<String, Note> shares(Path backup) {
        SortedMap<String, Note> shares = new TreeMap<>();
        FileStore folder = SystemFileStore.openExisting(backup);
        for (String name : folder.list("")) {
            if (folder.exists(name + "/" + NOTE)) {
                shares.put(name, Note.read(SystemFileStore.openExisting(backup.resolve(name))));
            }
        }
        if (shares.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no backup of a cluster in " + backup + ": no folder in it has a file " + NOTE);
        }
        return shares;
    }
}
