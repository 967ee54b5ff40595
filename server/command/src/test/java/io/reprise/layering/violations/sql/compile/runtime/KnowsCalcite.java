package io.reprise.layering.violations.sql.compile.runtime;

import org.apache.calcite.rex.RexNode;

/** Code that a statement runs and that knows the planner. */
public record KnowsCalcite(RexNode expression) {}
