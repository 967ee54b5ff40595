/**
 * Scalar expressions as code: each kind of call has an emitter, and {@link io.reprise.sql.compile.expression.Expressions}
 * chooses it. An emitter gets its operands' code by {@link io.reprise.sql.compile.expression.Operands}, so no emitter knows
 * the others above it.
 *
 * <p>Runs on the thread that compiles a statement. Invariant: an emitter computes an operand where the standard has it
 * computed, and in a branch only if the branch is taken. Read {@link io.reprise.sql.compile.expression.Expressions} first, then
 * {@link io.reprise.sql.compile.expression.Conditions}.
 */
package io.reprise.sql.compile.expression;
