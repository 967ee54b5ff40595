/**
 * The schema as immutable values: tables, columns, indexes, partitioning, procedures. A change makes a new {@link
 * io.reprise.catalog.Catalog}; holders of the old one are not disturbed. No threads, no I/O.
 *
 * <p>{@link io.reprise.catalog.Ddl} is a statement as written, {@link io.reprise.catalog.CatalogEditor} carries it
 * out and reports a {@link io.reprise.catalog.CatalogChange}, {@link io.reprise.catalog.CatalogPrinter} writes a
 * catalog as DDL. Read {@code Catalog} first, then {@code CatalogEditor}.
 */
package io.reprise.catalog;
