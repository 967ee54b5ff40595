/**
 * A class file while it is written: its fields and methods ({@link io.reprise.sql.compile.emit.ClassEmitter}), the code of
 * one method ({@link io.reprise.sql.compile.emit.Code}), and what code computes: values and rows.
 *
 * <p>Runs on the thread that compiles a statement; nothing here outlives the compilation. Invariants: between emitters the
 * operand stack is empty, and a computed value is used again only in the {@link io.reprise.sql.compile.emit.Region} that
 * computed it. Read {@link io.reprise.sql.compile.emit.Code} first, then {@link io.reprise.sql.compile.emit.Value} and {@link
 * io.reprise.sql.compile.emit.Row}.
 */
package io.reprise.sql.compile.emit;
