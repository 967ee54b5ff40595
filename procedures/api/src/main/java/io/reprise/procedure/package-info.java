/**
 * The API that stored procedures are written against: {@link io.reprise.procedure.Procedure} is the class to extend,
 * {@link io.reprise.procedure.Statement} one SQL statement of it, {@link io.reprise.procedure.Rows} what a query found.
 *
 * <p>Everything here is used by one thread at a time, the partition executor's, and is valid for one transaction only.
 * The package knows nothing of the server: the server implements the abstract classes. Start with {@code Procedure}.
 */
package io.reprise.procedure;
