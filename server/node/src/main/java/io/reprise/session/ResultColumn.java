package io.reprise.session;

/**
 * A column of a result.
 *
 * @param name as the client sees it
 * @param type its type
 */
public record ResultColumn(String name, PgType type) {}
