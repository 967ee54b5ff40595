package io.reprise.execution.work;

import io.reprise.execution.deploy.Arguments;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.plan.StatementTraits.RoutedIndex;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.index.HashIndex;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The lookups of a procedure at a partition, as far as its arguments tell: the indexes that its statements enter with
 * the partitioning value alone, and the parameters by which it is routed. A wrong guess costs a little time and
 * changes nothing.
 */
final class LookAhead {
    private final HashIndex[] indexes;
    private final int[] parameters;

    private LookAhead(HashIndex[] indexes, int[] parameters) {
        this.indexes = indexes;
        this.parameters = parameters;
    }

    /** The look-ahead of a procedure that is routed by these parameters. */
    static LookAhead of(Routing routing, List<StatementFactory> factories, PartitionStore store) {
        Set<RoutedIndex> routed = new LinkedHashSet<>();
        factories.forEach(factory -> routed.addAll(factory.traits().routed()));
        HashIndex[] indexes = routed.stream()
                .map(r -> store.table(r.table()).hashIndex(r.position()))
                .filter(HashIndex::isOfOneNumber)
                .toArray(HashIndex[]::new);
        int[] parameters = routing.parameters().stream()
                .mapToInt(Routing.Parameter::index)
                .distinct()
                .toArray();
        return new LookAhead(indexes, parameters);
    }

    /** Announces what a call with these arguments is going to look up. */
    void announce(Arguments arguments) {
        for (int parameter : parameters) {
            if (arguments.kind(parameter) == Arguments.Kind.INTEGER) {
                long value = arguments.word(parameter);
                for (HashIndex index : indexes) {
                    index.prefetchNumber(value);
                }
            }
        }
    }
}
