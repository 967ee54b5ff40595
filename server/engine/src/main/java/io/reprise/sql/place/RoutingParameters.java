package io.reprise.sql.place;

import io.reprise.sql.bind.ParameterRounding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexVisitorImpl;

/** The parameters whose values say in which bucket a statement runs. */
public final class RoutingParameters {
    private RoutingParameters() {}

    /**
     * The roundings of a statement's parameters, when it is confined to one bucket. The bucket is found by the number that a
     * DECIMAL is rounded to, so one that would equal nothing is refused.
     */
    public static List<ParameterRounding> rounded(List<ParameterRounding> roundings, StatementScope.Key key) {
        Set<Integer> routing = new HashSet<>();
        RexVisitorImpl<Void> parameters = new RexVisitorImpl<>(true) {
            @Override
            public Void visitDynamicParam(RexDynamicParam parameter) {
                routing.add(parameter.getIndex());
                return null;
            }
        };
        key.value().accept(parameters);
        key.others().forEach(other -> other.accept(parameters));
        List<ParameterRounding> all = new ArrayList<>(roundings);
        for (int parameter : routing) {
            if (all.get(parameter) == ParameterRounding.UNEQUAL) {
                all.set(parameter, ParameterRounding.SEVERAL);
            }
        }
        return List.copyOf(all);
    }
}
