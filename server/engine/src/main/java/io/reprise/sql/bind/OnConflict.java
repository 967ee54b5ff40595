package io.reprise.sql.bind;

/** The reaction of an INSERT to a row that has the primary key already. */
public enum OnConflict {
    /** An error. */
    FAIL,
    /** UPSERT and DO UPDATE: that row is updated. */
    UPDATE,
    /** DO NOTHING: that row stays as it is. */
    SKIP
}
