package io.reprise.access;

import java.util.Locale;

/** A right of a user. The file of users has these words in lower case. */
public enum Right {
    /** Call procedures: all, or with a name behind a colon this one. */
    CALL,
    /** Run statements that only read, and call procedures that only read. */
    READ,
    /** Run any statement but DDL. Includes what READ allows of statements. */
    SQL,
    /** Read metrics and status, which have the names of tables and procedures. */
    WATCH,
    /** Change the schema, deploy procedures, make snapshots. Includes WATCH. */
    ADMINISTER;

    /** As it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
