package io.reprise.engine;

import io.reprise.archive.ArchiveSettings;
import io.reprise.runtime.file.FileStore;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Files of an engine.
 *
 * @param files opens the directory that keeps the database; empty: the data are gone when the engine ends
 * @param keepsStatements whether compiled statements of procedures are kept in the directory
 * @param mergesSnapshots whether a snapshot is merged from the one before it and the log behind that, without the partitions. Rows are
 *     copied if the schema has changed, or if commands over several buckets are logged and the rows don't fit into memory twice.
 * @param mergeBytes the bytes of rows that a merge takes at once, roughly
 * @param collectsFootprints whether transactions leave footprints in the log
 * @param archive the archive outside of the directory, if there is one
 */
record StorageSettings(
        Optional<Supplier<FileStore>> files,
        boolean keepsStatements,
        boolean mergesSnapshots,
        long mergeBytes,
        boolean collectsFootprints,
        Optional<ArchiveSettings> archive) {}
