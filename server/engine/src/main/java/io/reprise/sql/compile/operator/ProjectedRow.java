package io.reprise.sql.compile.operator;

import io.reprise.sql.compile.emit.Carried;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.physical.PlanField;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rex.RexNode;

/** A row of expressions over another row. */
final class ProjectedRow extends Row {
    private final Expressions expressions;
    private final List<RexNode> list;
    private final List<PlanField> fields;
    private final Row input;
    private final Scope scope;

    /** A row of a list of expressions, which are brought to the types of the fields. */
    ProjectedRow(Expressions expressions, List<RexNode> list, List<PlanField> fields, Row input, Scope scope) {
        super(expressions.code(), list.size());
        this.expressions = expressions;
        this.list = list;
        this.fields = fields;
        this.input = input;
        this.scope = scope.withInput(input);
    }

    @Override
    public Value compute(int index) {
        return expressions.emit(list.get(index), scope, fields.get(index).type());
    }

    @Override
    public int address() {
        return input.address();
    }

    @Override
    public int weight(int index) {
        return list.get(index).nodeCount();
    }

    @Override
    protected Carried carryFields() {
        Function<Code, Scope> carried = scope.carry(list);
        return callee -> {
            Scope inside = carried.apply(callee);
            return new ProjectedRow(
                    new Expressions(callee, expressions.parameters()), list, fields, inside.input(), inside);
        };
    }
}
