package io.reprise.sql.bind;

/** The reaction of an INSERT to a row that has the primary key already. */
public enum OnConflict {
    /** An error. */
    FAIL,
    /** UPSERT and DO UPDATE: the row with the same key is updated. */
    UPDATE,
    /** DO NOTHING: the row with the same key stays as it is. */
    SKIP
}
