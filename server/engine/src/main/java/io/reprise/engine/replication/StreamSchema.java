package io.reprise.engine.replication;

import io.reprise.catalog.Catalog;
import io.reprise.execution.durable.CommandSchema;

/** The tables and procedures of an engine, for the records of a stream. */
public interface StreamSchema extends CommandSchema {
    /** The tables. */
    Catalog catalog();
}
