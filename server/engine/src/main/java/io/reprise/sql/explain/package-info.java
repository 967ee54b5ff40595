/** Prints plans as EXPLAIN shows them. Read {@link io.reprise.sql.explain.PlanPrinter}. */
package io.reprise.sql.explain;
