package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;

/** A column of the rows that an operator produces. */
public record PlanField(String name, SqlType type, boolean nullable) {}
