package io.reprise.engine;

import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.Manifest;

/**
 * A snapshot to recover from.
 *
 * @param files the store that its files are read from, as in a data directory
 * @param archived whether that is an archive
 */
record SnapshotBase(FileStore files, Manifest manifest, boolean archived) {}
