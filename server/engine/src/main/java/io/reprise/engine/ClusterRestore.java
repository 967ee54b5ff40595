package io.reprise.engine;

import io.reprise.execution.Partition;
import io.reprise.recovery.replay.PartitionImage;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Makes data directories of a cluster's backup. Each partition comes from one share whose stream reaches the cut; all of them become
 * one snapshot, from which a node that serves alone can start, or each node of a new cluster of any size.
 *
 * <pre>
 *  DIR.partial/node-N: a copy of a share, recovered up to the cut
 *    -> the partitions of all shares in the first of them, and a snapshot of it
 *    -> restored into each directory, with a seed for a node of a cluster -> DIR.partial is removed, also after a failure
 * </pre>
 */
public final class ClusterRestore {
    /** The file in a directory with which a cluster may begin. All nodes have the same one. */
    static final String SEED = "cluster-seed";

    private static final long MEMORY = 1L << 42;
    private static final int BLOCK = 64 << 10;

    private final Path backup;
    private final Path partial;
    private final Consumer<String> lines;
    private final SortedMap<String, ClusterBackup.Note> shares;
    private final ClusterBackup.Note first;

    private ClusterRestore(Path backup, Path partial, Consumer<String> lines) {
        this.backup = backup;
        this.partial = partial;
        this.lines = lines;
        shares = ClusterBackup.shares(backup);
        first = shares.firstEntry().getValue();
    }

    /**
     * Restores.
     *
     * @param directories the new data directories
     * @param seeds whether they are for nodes of a new cluster
     */
    public static void run(Path backup, List<Path> directories, boolean seeds, Consumer<String> lines) {
        Path target = directories.getFirst().toAbsolutePath().normalize();
        Path partial = target.resolveSibling(target.getFileName() + ".partial");
        FileStore work = SystemFileStore.open(partial);
        if (!work.list("").isEmpty()) {
            throw new StorageException(
                    "restore with the help of a folder",
                    partial.toString(),
                    "it is not empty; an earlier restore may have left it: remove it",
                    null);
        }
        ClusterRestore restore = new ClusterRestore(backup, partial, lines);
        try {
            Path snapshot = restore.merge();
            for (Path directory : directories) {
                Backup.restoreTo(snapshot, directory);
                if (seeds) {
                    restore.seed(SystemFileStore.open(directory));
                }
                lines.accept("Restored into " + directory + ".");
            }
        } finally {
            for (String name : restore.shares.keySet()) {
                if (work.exists(name)) {
                    PastRestore.remove(SystemFileStore.open(partial.resolve(name)), "");
                    work.delete(name);
                }
            }
            SystemFileStore.open(partial.getParent())
                    .delete(partial.getFileName().toString());
        }
    }

    private void seed(FileStore directory) {
        try (DataFile file = directory.create(SEED)) {
            file.write(0, ByteBuffer.wrap((Long.toHexString(first.cut()) + "\n").getBytes(StandardCharsets.US_ASCII)));
            file.force();
        }
        directory.forceDirectory("");
    }

    /** The partitions of each share that is used. */
    private SortedMap<String, List<Integer>> choose() {
        SortedMap<String, List<Integer>> chosen = new TreeMap<>();
        List<Integer> missing = new ArrayList<>();
        for (int partition = 0; partition < first.partitions(); partition++) {
            String from = null;
            for (Map.Entry<String, ClusterBackup.Note> share : shares.entrySet()) {
                ClusterBackup.Note note = share.getValue();
                if (!note.cluster().equals(first.cluster()) || note.cut() != first.cut()) {
                    throw new IllegalArgumentException(shares.firstKey() + " and " + share.getKey() + " in " + backup
                            + " are not of one backup: they have other clusters or cuts. Keep the folders of one");
                }
                boolean fewer = note.held().contains(partition)
                        && (from == null
                                || chosen.getOrDefault(share.getKey(), List.of())
                                                .size()
                                        < chosen.getOrDefault(from, List.of()).size());
                from = fewer ? share.getKey() : from;
            }
            if (from == null) {
                missing.add(partition);
            } else {
                chosen.computeIfAbsent(from, name -> new ArrayList<>()).add(partition);
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("the backup in " + backup + " lacks partitions " + missing
                    + "; add the folders of the nodes that held them");
        }
        return chosen;
    }

    /** Returns the folder of a snapshot with all partitions. */
    private Path merge() {
        SortedMap<String, List<Integer>> chosen = choose();
        String target = chosen.firstKey();
        try (Reprise into = open(target, chosen.get(target))) {
            for (Map.Entry<String, List<Integer>> share : chosen.entrySet()) {
                if (!share.getKey().equals(target)) {
                    try (Reprise from = open(share.getKey(), share.getValue())) {
                        share.getValue().forEach(partition -> move(from, into, partition));
                    }
                }
            }
            SnapshotReport made = into.snapshot();
            if (!made.succeeded()) {
                throw new IllegalStateException("the snapshot of all partitions failed: " + made.problem());
            }
        }
        long id = new SnapshotDirectory(SystemFileStore.open(partial.resolve(target)))
                .list()
                .getFirst();
        return partial.resolve(target).resolve(SnapshotDirectory.path(id));
    }

    /** Recovers a copy of a share up to the cut. */
    private Reprise open(String name, List<Integer> partitions) {
        FileStore copy = SystemFileStore.open(partial.resolve(name));
        ClusterBackup.copyShare(backup.resolve(name), copy);
        RecoveryCut cut = new RecoveryCut(first.cut());
        Options options = Options.create()
                .name("restore")
                .directory(partial.resolve(name))
                .partitions(first.partitions())
                .memoryPerPartition(MEMORY / first.partitions());
        options.cut = cut;
        Reprise engine = options.open();
        for (int partition : partitions) {
            if (!cut.isReached(partition)) {
                engine.close();
                throw new IllegalArgumentException("the log of " + name + " in " + backup
                        + " does not reach the cut in partition " + partition + "; make another backup");
            }
        }
        lines.accept("Recovered " + name + " up to the cut: partitions " + partitions + ".");
        return engine;
    }

    private static void move(Reprise from, Reprise into, int partition) {
        Map<Integer, List<byte[]>> blocks = new HashMap<>();
        from.administer("read a partition", () -> {
            Partition source = from.partitions().get(partition);
            List<byte[]> all = new ArrayList<>();
            new PartitionImage(source).write(from.catalog().tables().values(), BLOCK, all::add);
            blocks.put(partition, all);
        });
        into.administer("load a partition", () -> {
            PartitionImage image = new PartitionImage(into.partitions().get(partition));
            image.clear(into.catalog().tables().values());
            blocks.get(partition).forEach(image::load);
        });
    }
}
