package io.reprise.snapshot.file;

import java.util.List;
import java.util.Optional;

/**
 * What a snapshot is and has.
 *
 * @param identity whose snapshot, of which moment
 * @param partitions how many partitions there were
 * @param origin what was so at its moment, apart from the rows
 * @param files the data files, by partition
 * @param tables what they have, in the catalog's order
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
     * What was so at the snapshot's moment, apart from the rows.
     *
     * @param logPosition where the log goes on from here
     * @param epochMicros the time by the clock of the machine, for people
     * @param catalogVersion the catalog's count of changes
     * @param nextTableId the id that the next table gets
     * @param ddl the catalog as {@link io.reprise.catalog.CatalogPrinter} writes it
     * @param attachment what else belongs to the catalog (the procedures' classes); its writer knows its form
     * @param outcomes of calls that may come again, by partition; none where a snapshot was made for another database
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

    /** The table of that name. */
    public Optional<TableContents> table(String name) {
        return tables.stream().filter(table -> table.name().equals(name)).findFirst();
    }

    /** How many rows there are. */
    public long rows() {
        return tables.stream().mapToLong(TableContents::totalRows).sum();
    }

    /** How many bytes the data files have. */
    public long bytes() {
        return files.stream().mapToLong(DataFileEntry::size).sum();
    }
}
