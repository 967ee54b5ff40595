package io.reprise.engine;

import io.reprise.catalog.SqlType;
import io.reprise.sql.physical.PlanField;
import java.util.List;

/**
 * The outside of a planned statement.
 *
 * @param parameters the types of its parameters
 * @param columns the columns of its result; none if that is a count
 * @param readOnly whether it changes nothing
 */
public record StatementShape(List<SqlType> parameters, List<PlanField> columns, boolean readOnly) {}
