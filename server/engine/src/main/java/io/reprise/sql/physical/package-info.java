/**
 * Chooses how a statement's rows are found and joined: {@link io.reprise.sql.physical.PlanNode} are the operators of a plan, whose
 * expressions are Calcite's {@code RexNode}s in a normal form.
 *
 * <p>Read {@link io.reprise.sql.physical.RelPlanner} first. {@code JoinBlock} takes joins apart. {@code JoinOrder}
 * and {@code AccessPath} choose their order and the indexes by cost. {@code SubQueryPlanner}, {@code
 * AggregatePlanner} and {@code WritePlanner} plan the rest. {@code RowOrder}, {@code RowSequence} and {@code
 * StorageOrder} keep the order in which rows are stored out of what a statement writes. Plans are immutable values.
 * Planners belong to the statement that is planned.
 */
package io.reprise.sql.physical;
