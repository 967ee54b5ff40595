package io.reprise.snapshot.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The description of a snapshot.
 *
 * @param identity database and moment
 * @param partitions number of partitions
 * @param origin the facts of its moment, apart from the rows
 * @param files the data files, by partition
 * @param tables their contents, in the catalog's order; of each partition in turn if each file has all that its partition held
 */
public record Manifest(
        SnapshotIdentity identity,
        int partitions,
        Origin origin,
        List<DataFileEntry> files,
        List<TableContents> tables) {
    /** Keeps copies of the lists. */
    public Manifest {
        files = List.copyOf(files);
        tables = List.copyOf(tables);
    }

    /**
     * The facts of the snapshot's moment, apart from the rows.
     *
     * @param logPosition the log goes on from here
     * @param epochMicros the time by the clock of the machine, for people
     * @param catalogVersion the catalog's count of changes
     * @param nextTableId the id that the next table gets
     * @param ddl the catalog as {@link io.reprise.catalog.CatalogPrinter} writes it
     * @param attachment the rest of the catalog (the procedures' classes); its writer knows its form
     * @param outcomes of calls that may come again, by partition; none if a snapshot was made for another database
     */
    public record Origin(
            long logPosition,
            long epochMicros,
            long catalogVersion,
            int nextTableId,
            String ddl,
            byte[] attachment,
            List<byte[]> outcomes) {
        /** Keeps a copy of the list. */
        public Origin {
            outcomes = List.copyOf(outcomes);
        }
    }

    /** Whether the tables are there once for each partition. */
    static boolean isByPartition(List<TableContents> tables) {
        return tables.size() > 1
                && tables.stream()
                        .skip(1)
                        .anyMatch(table -> table.id() == tables.getFirst().id());
    }

    /** Whether each data file has all that its partition held, so that a row may be in several files. */
    public boolean isByPartition() {
        return isByPartition(tables);
    }

    /** The descriptions of what can be read by itself: of each partition, or of all together. */
    public List<Manifest> parts() {
        if (!isByPartition()) {
            return List.of(this);
        }
        int count = tables.size() / partitions;
        List<Manifest> parts = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            parts.add(new Manifest(
                    identity, partitions, origin, List.of(files.get(i)), tables.subList(i * count, (i + 1) * count)));
        }
        return parts;
    }

    /** The table of that name. */
    public Optional<TableContents> table(String name) {
        return tables.stream().filter(table -> table.name().equals(name)).findFirst();
    }

    /** The number of rows. */
    public long rows() {
        return tables.stream().mapToLong(TableContents::totalRows).sum();
    }

    /** The bytes of the data files. */
    public long bytes() {
        return files.stream().mapToLong(DataFileEntry::size).sum();
    }
}
