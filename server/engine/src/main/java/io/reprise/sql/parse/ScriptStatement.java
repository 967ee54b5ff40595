package io.reprise.sql.parse;

import io.reprise.catalog.Position;

/**
 * One statement of a script.
 *
 * @param text from its first to its last word, without semicolon
 * @param at its position in the script
 * @param kind its kind
 */
public record ScriptStatement(String text, Position at, StatementKind kind) {}
