package io.reprise.sql.plan;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.ParameterRounding;
import io.reprise.sql.bind.SequenceUse;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.place.BucketCrossings;
import io.reprise.sql.place.Reaches;
import io.reprise.sql.place.RoutedIndexes;
import io.reprise.sql.place.StatementScope;
import java.util.List;
import java.util.Optional;

/**
 * A planned statement, ready to be compiled.
 *
 * @param sql the text
 * @param scope the partitions in which it has to run
 * @param parameters the types of its parameters, by position
 * @param roundings the treatment of digits behind the point that they have no room for, by position
 * @param output the columns of the result; for a write without RETURNING the single column with the count
 * @param fragment the part of each partition
 * @param merge the part over the gathered rows of all fragments; empty if one fragment's result is the result
 * @param writes whether it is INSERT, UPDATE, DELETE, UPSERT or TRUNCATE
 * @param returnsRows whether it is a query or has RETURNING: the result has rows, not a count
 * @param orderDetermined false if the result depends on the order in which rows happen to be stored (LIMIT without a
 *     total ORDER BY)
 * @param errorDetermined false if the statement is one of those that write, or whose results are written, and its
 *     error depends on that order
 * @param sequences the values of sequences that it takes, whose parameters are the last ones
 * @param foreignKeys those that its writes have to settle
 * @param explanation the text of EXPLAIN: the plan and its scope
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
        boolean returnsRows,
        boolean orderDetermined,
        boolean errorDetermined,
        List<SequenceUse> sequences,
        List<SettledKey> foreignKeys,
        String explanation) {
    /** The same plan, which also settles foreign keys. */
    StatementPlan settling(List<SettledKey> keys, String newExplanation) {
        return new StatementPlan(
                sql,
                scope,
                parameters,
                roundings,
                output,
                fragment,
                merge,
                writes,
                returnsRows,
                orderDetermined,
                errorDetermined,
                sequences,
                keys,
                newExplanation);
    }

    /** The facts that stay when it is compiled. */
    public StatementTraits traits() {
        return new StatementTraits(
                sql,
                Reaches.of(scope, parameters),
                parameters,
                roundings,
                output,
                merge.isPresent() ? fragment.fields() : output,
                merge.isPresent(),
                writes,
                returnsRows,
                sequences,
                !BucketCrossings.of(fragment).isEmpty() || foreignKeys.stream().anyMatch(SettledKey::crossesBuckets),
                fragment instanceof PlanNode.Write write
                        ? write.table().logging()
                        : ProcedureDefinition.Logging.AS_CONFIGURED,
                RoutedIndexes.of(fragment).stream()
                        .map(routed -> new StatementTraits.RoutedIndex(
                                routed.table().id(), routed.index().position()))
                        .toList(),
                TouchedTables.of(fragment, merge, foreignKeys));
    }
}
