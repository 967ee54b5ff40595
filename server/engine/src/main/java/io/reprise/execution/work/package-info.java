/**
 * The tasks of executions: {@link io.reprise.execution.work.ProcedureWork} a procedure class, {@link
 * io.reprise.execution.work.StatementWork} a single statement. Both are made by {@link
 * io.reprise.execution.work.WorkFactory} on an administration thread and run by executors. A recorded work that can't
 * be made any more is a {@link io.reprise.execution.work.RefusedWork}, which never runs.
 *
 * <p>A procedure has an instance for each partition, bound to that partition's compiled statements; one that may hold
 * several partitions has another, whose statements ({@link io.reprise.execution.work.LentStatement}) find the
 * partition at each execution. Start with {@code ProcedureWork}.
 */
package io.reprise.execution.work;
