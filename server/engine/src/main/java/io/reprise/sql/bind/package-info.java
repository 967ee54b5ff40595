/**
 * Binds a statement's text to the catalog, with Calcite: syntax, names, types and functions, then relational algebra.
 *
 * <p>Read {@link io.reprise.sql.bind.LogicalPlanner} first. A text passes {@code StatementParser} (with {@code StatementTokens},
 * which add what Calcite's grammar lacks), {@code UnsupportedSyntax}, which refuses by name and position, {@code
 * SyntaxRewriter}, and {@code StatementValidator}. {@code PlanningErrors} gives every exception of Calcite a message in the
 * terms that a user typed. Stateless, called from any thread.
 */
package io.reprise.sql.bind;
