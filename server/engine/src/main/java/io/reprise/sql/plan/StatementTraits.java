package io.reprise.sql.plan;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.ParameterRounding;
import io.reprise.sql.bind.SequenceUse;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.place.Reach;
import java.util.List;

/**
 * The facts of a compiled statement that routing, binding and clients need. A {@link StatementPlan} gives them, and they are stored with
 * the statement's class, so that a start needs no plan.
 *
 * @param sql the text
 * @param reach the partitions that it reaches
 * @param parameters the types of its parameters, by position
 * @param roundings the treatment of digits behind the point that they have no room for, by position
 * @param output the columns of the result
 * @param fragment the columns of what one partition finds
 * @param merges whether a merge makes the result of what the partitions found
 * @param writes whether it is INSERT, UPDATE, DELETE, UPSERT or TRUNCATE
 * @param returnsRows whether the result has rows, not a count
 * @param sequences the values of sequences that it takes, whose parameters are the last ones
 * @param crossesBuckets whether it reads a partitioned table across its buckets
 * @param logging the form of log records that the written table asks for
 * @param routed the hash indexes that it enters with the partitioning value alone
 * @param tables the tables that it touches
 */
public record StatementTraits(
        String sql,
        Reach reach,
        List<SqlType> parameters,
        List<ParameterRounding> roundings,
        List<PlanField> output,
        List<PlanField> fragment,
        boolean merges,
        boolean writes,
        boolean returnsRows,
        List<SequenceUse> sequences,
        boolean crossesBuckets,
        ProcedureDefinition.Logging logging,
        List<RoutedIndex> routed,
        TouchedTables tables) {
    /** An index by the id of its table and its position there. */
    public record RoutedIndex(int table, int position) {}

    /** The number of parameters that the client gives. */
    public int givenParameters() {
        return parameters.size()
                - (int) sequences.stream().filter(SequenceUse::isParameter).count();
    }

    /** Whether it changes something: rows, or a sequence. */
    public boolean hasEffect() {
        return writes || sequences.stream().anyMatch(SequenceUse::changes);
    }
}
