package io.reprise.sql.compile.emit;

/** A row that another method takes over: its locals are in fields of the statement. */
public interface Carried {
    /** Emits the loads, and gives the row in the other method. */
    Row in(Code callee);
}
