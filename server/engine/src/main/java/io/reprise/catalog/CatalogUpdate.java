package io.reprise.catalog;

/** The outcome of a DDL statement: the new catalog, and what is different in it. */
public record CatalogUpdate(Catalog catalog, CatalogChange change) {}
