package io.reprise.sql.plan;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.ParameterRounding;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.place.StatementScope;
import java.util.List;
import java.util.Optional;

/**
 * A planned statement, ready to be compiled.
 *
 * @param sql the text
 * @param scope where it has to run
 * @param parameters the types of its parameters, by position
 * @param roundings what becomes of digits behind the point that they have no room for, by position
 * @param output the columns of the result; for a write the single column with the count
 * @param fragment what each partition runs
 * @param merge what is run over the gathered rows of all fragments; empty where one fragment's result is the result
 * @param writes whether it is INSERT, UPDATE, DELETE, UPSERT or TRUNCATE
 * @param orderDetermined false where the result depends on the order in which rows happen to be stored (LIMIT without a
 *     total ORDER BY)
 * @param errorDetermined false where the statement is one of those that write, or whose results are written, and with which error it
 *     fails depends on that order
 * @param explanation what EXPLAIN prints: the plan and its scope
 */
public record StatementPlan(
        String sql,
        StatementScope scope,
        List<SqlType> parameters,
        List<ParameterRounding> roundings,
        List<PlanField> output,
        PlanNode fragment,
        Optional<PlanNode> merge,
        boolean writes,
        boolean orderDetermined,
        boolean errorDetermined,
        String explanation) {}
