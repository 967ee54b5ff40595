/**
 * From text to statements: {@link io.reprise.sql.parse.SqlScript} cuts a script into statements,
 * {@link io.reprise.sql.parse.DdlParser} reads DDL (queries and DML are Calcite's), and
 * {@link io.reprise.sql.parse.CatalogScript} makes catalogs from DDL text. No state, no threads. Start with
 * {@code DdlParser}, whose comment has the grammar.
 */
package io.reprise.sql.parse;
