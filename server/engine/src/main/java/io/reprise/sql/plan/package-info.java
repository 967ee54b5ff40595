/**
 * Plans statements, from text to an immutable {@link io.reprise.sql.plan.StatementPlan}. Planning happens when a statement is
 * deployed, or when an ad hoc one comes for the first time, never while a transaction
 * runs.
 *
 * <p>Read {@link io.reprise.sql.plan.StatementPlanner}: it passes a statement through {@code sql.bind}, {@code sql.physical},
 * {@code sql.place} and {@code sql.explain}. Unsupported statements are refused there ({@link
 * io.reprise.sql.bind.SqlPlanningException}); a plan that comes out can be compiled.
 */
package io.reprise.sql.plan;
