package io.reprise.sql.compile.expression;

import io.reprise.sql.compile.emit.Carried;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;

/**
 * The rows and parameters that an expression may refer to.
 *
 * @param input the row that {@code RexInputRef} means
 * @param correlations the outer rows of the joins around it, by the joins' names
 */
public record Scope(Row input, Map<String, Row> correlations) {
    public Scope withInput(Row row) {
        return new Scope(row, correlations);
    }

    public Scope withCorrelation(String name, Row row) {
        Map<String, Row> more = new HashMap<>(correlations);
        more.put(name, row);
        return new Scope(input, more);
    }

    /** Emits what another method needs to emit these expressions in this scope. */
    public Function<Code, Scope> carry(Collection<RexNode> expressions) {
        boolean[] usesInput = new boolean[1];
        Map<String, Carried> outer = new TreeMap<>();
        RexVisitorImpl<Void> uses = new RexVisitorImpl<>(true) {
            @Override
            public Void visitInputRef(RexInputRef field) {
                usesInput[0] = true;
                return null;
            }

            @Override
            public Void visitCorrelVariable(RexCorrelVariable variable) {
                Row row = correlations.get(variable.getName());
                if (row != null) {
                    outer.computeIfAbsent(variable.getName(), name -> row.carry());
                }
                return null;
            }
        };
        expressions.forEach(expression -> expression.accept(uses));
        Carried row = usesInput[0] ? input.carry() : Row::empty;
        return callee -> {
            Map<String, Row> rows = new HashMap<>();
            outer.forEach((name, carried) -> rows.put(name, carried.in(callee)));
            return new Scope(row.in(callee), rows);
        };
    }
}
