package io.reprise.sql.compile.runtime;

/** The values that a statement is given, for what works on lists of them. Owned by the partition's thread. */
public interface StatementValues {
    /** The word of a parameter; only of a statement with many. */
    long parameterWord(int parameter);

    /** Whether a parameter is NULL; only of a statement with many. */
    boolean isParameterNull(int parameter);

    /** A string literal, in the partition's scratch memory. */
    long literal(int number);

    /** The number of the execution. */
    long execution();

    /** The transaction. */
    long transaction();
}
