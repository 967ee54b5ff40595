/**
 * The schema as immutable values: tables, columns, indexes, partitioning, procedures. A change makes a new
 * {@link io.reprise.catalog.Catalog}; whoever holds the old one is not disturbed. No threads, no I/O.
 */
package io.reprise.catalog;
