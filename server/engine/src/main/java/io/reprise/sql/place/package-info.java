/**
 * Finds out where a plan runs and splits it: the scope ({@link io.reprise.sql.place.ScopeAnalyzer}), the placement of rows
 * ({@code PlacementAnalyzer}), and the fragments of partitions with the merge of their results ({@code Distributor}).
 *
 * <p>A statement that can't run where its rows are is refused, as is a write that depends on the order in which rows are stored
 * ({@code WriteDeterminism}). Stateless, called from any thread.
 */
package io.reprise.sql.place;
