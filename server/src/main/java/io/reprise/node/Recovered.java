package io.reprise.node;

import java.util.List;

/**
 * What a recovery has brought back besides the rows.
 *
 * @param schema the schema
 * @param jars where its procedures' classes are looked for
 * @param lastId the highest transaction id that was ever given, as far as is known
 * @param isNew there was nothing to recover: the database is new
 */
record Recovered(Schema schema, List<byte[]> jars, long lastId, boolean isNew) {
    /** A new database. */
    static Recovered nothing() {
        return new Recovered(Schema.empty(), List.of(), 0, true);
    }
}
