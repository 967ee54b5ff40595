/**
 * From a statement's text to a physical plan: {@link io.reprise.sql.plan.PlanNode} are the operators, {@link
 * io.reprise.sql.plan.StatementPlan} is the result. Scalar expressions are Calcite's {@code RexNode}s. Plans are immutable
 * values; planning happens when a statement is deployed (or an ad hoc one comes for the first time, see {@link
 * io.reprise.sql.plan.PlanCache}), never while a transaction runs. No state, no threads.
 *
 * <p>Read {@link io.reprise.sql.plan.StatementPlanner} first. A statement passes {@code StatementParser} (text to syntax,
 * by Calcite), {@code LogicalPlanner} (names and types, then relational algebra, by Calcite), {@code RelPlanner} with
 * {@code JoinBlock}, {@code JoinOrder} and {@code AccessPath} (which index, in which order), {@code SubQueryPlanner}, {@code
 * AggregatePlanner} and {@code WritePlanner}; then {@code ScopeAnalyzer} says where it runs, and {@code Distributor} splits
 * what runs in all partitions. {@code PlanPrinter} writes what EXPLAIN shows.
 *
 * <p>What is not supported is refused here, by name and place ({@link io.reprise.sql.plan.SqlPlanningException}): a plan
 * that comes out can be compiled.
 */
package io.reprise.sql.plan;
