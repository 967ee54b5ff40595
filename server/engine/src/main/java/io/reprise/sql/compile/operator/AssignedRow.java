package io.reprise.sql.compile.operator;

import io.reprise.sql.compile.emit.Carried;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.physical.PlanNode.Update;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A row's address, followed by the values that an UPDATE assigns to its columns, checked against them. */
final class AssignedRow extends Row {
    /** The share of a column's check in the code, in nodes of an expression. */
    private static final int WEIGHT_OF_CHECK = 2;

    private final Operators operators;
    private final Update update;
    private final int address;
    private final Scope scope;

    /** The values for the row whose address is in a local and which is the input of the scope. */
    AssignedRow(Operators operators, Update update, int address, Scope scope) {
        super(operators.code(), update.columns().size() + 1);
        this.operators = operators;
        this.update = update;
        this.address = address;
        this.scope = scope;
    }

    @Override
    public Value compute(int index) {
        return index == 0
                ? Value.local(Types.BIGINT, address)
                : new Columns(operators, update.table())
                        .emit(
                                update.expressions().get(index - 1),
                                scope,
                                update.columns().get(index - 1));
    }

    @Override
    public int address() {
        return address;
    }

    @Override
    public int weight(int index) {
        return index == 0 ? 1 : update.expressions().get(index - 1).nodeCount() + WEIGHT_OF_CHECK;
    }

    @Override
    protected Carried carryFields() {
        ToIntFunction<Code> carriedAddress = code().carry(long.class, address);
        Function<Code, Scope> carriedScope = scope.carry(update.expressions());
        return callee -> new AssignedRow(
                operators.in(callee), update, carriedAddress.applyAsInt(callee), carriedScope.apply(callee));
    }
}
