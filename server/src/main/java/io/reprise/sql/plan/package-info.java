/**
 * From a validated statement to a physical plan: {@link io.reprise.sql.plan.PlanNode} are the operators,
 * {@link io.reprise.sql.plan.StatementPlan} is the result. Scalar expressions are Calcite's {@code RexNode}s. Plans are
 * immutable values; planning happens when a statement is deployed, never while a transaction runs.
 */
package io.reprise.sql.plan;
