/**
 * Operators of a plan as code: loops over tables, indexes and buffers, and the writes of rows.
 *
 * <p>Runs on the thread that compiles a statement. Invariants: each operator's code is emitted once; a table does not change
 * while it is read; strings that are kept beyond a row's turn do not point into the row. Read {@link
 * io.reprise.sql.compile.operator.Operators} first.
 */
package io.reprise.sql.compile.operator;
