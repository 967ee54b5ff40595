package io.reprise.sql.compile.operator;

import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.TableRow;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode.IndexLookup;
import io.reprise.sql.physical.PlanNode.JoinKind;
import io.reprise.sql.physical.PlanNode.NestedLoopJoin;
import java.lang.classfile.Label;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.calcite.rex.RexNode;

/** Nested loop joins: the inner side's code stands inside the outer side's loop and sees the outer row's locals. */
public final class Joins {
    private final Operators operators;
    private final Code code;

    public Joins(Operators operators) {
        this.operators = operators;
        code = operators.code();
    }

    public void produce(NestedLoopJoin join, Scope scope, Consumer<Row> consumer) {
        operators.produce(join.outer(), scope, outer -> {
            Scope inner = scope.withCorrelation(join.correlation(), outer);
            switch (join.kind()) {
                case INNER -> inner(join, inner, outer, consumer);
                case SEMI -> semi(join, inner, outer, consumer);
                case ANTI -> anti(join, inner, outer, consumer);
                case LEFT -> left(join, inner, outer, consumer);
            }
        });
    }

    /** Emits the inner side with the consumer where the condition holds. */
    private void matches(NestedLoopJoin join, Scope scope, Row outer, Consumer<Row> consumer) {
        operators.produce(join.inner(), scope, inner -> {
            Row both = Row.concat(outer, inner);
            Label skip = code.newLabel();
            code.conditionally(() -> {
                jumpUnlessTrue(join.condition(), scope, both, skip);
                consumer.accept(both);
            });
            code.bind(skip);
        });
    }

    private void jumpUnlessTrue(Optional<RexNode> condition, Scope scope, Row row, Label target) {
        condition.ifPresent(c -> operators.expressions().conditions().jumpUnlessTrue(c, scope.withInput(row), target));
    }

    private void inner(NestedLoopJoin join, Scope scope, Row outer, Consumer<Row> consumer) {
        matches(join, scope, outer, consumer);
    }

    private void semi(NestedLoopJoin join, Scope scope, Row outer, Consumer<Row> consumer) {
        if (join.everyRow()) {
            everyRow(join, scope, outer, consumer);
            return;
        }
        Label found = code.newLabel();
        Label end = code.newLabel();
        code.conditionally(() -> matches(join, scope, outer, both -> code.jump(found)));
        code.jump(end);
        code.bind(found);
        code.conditionally(() -> consumer.accept(outer));
        code.bind(end);
    }

    /** Looks at all inner rows before it decides. */
    private void everyRow(NestedLoopJoin join, Scope scope, Row outer, Consumer<Row> consumer) {
        int found = code.newInt();
        Label end = code.newLabel();
        code.push(0);
        code.storeInt(found);
        code.conditionally(() -> matches(join, scope, outer, both -> {
            code.push(1);
            code.storeInt(found);
        }));
        code.loadInt(found);
        if (join.kind() == JoinKind.SEMI) {
            code.raw().ifeq(end);
        } else {
            code.raw().ifne(end);
        }
        code.conditionally(() -> consumer.accept(outer));
        code.bind(end);
    }

    private void anti(NestedLoopJoin join, Scope scope, Row outer, Consumer<Row> consumer) {
        if (join.everyRow()) {
            everyRow(join, scope, outer, consumer);
            return;
        }
        Label found = code.newLabel();
        code.conditionally(() -> {
            matches(join, scope, outer, both -> code.jump(found));
            consumer.accept(outer);
        });
        code.bind(found);
    }

    private void left(NestedLoopJoin join, Scope scope, Row outer, Consumer<Row> consumer) {
        if (join.condition().isEmpty() && Plans.givesExactlyOneRow(join.inner())) {
            inner(join, scope, outer, consumer);
        } else if (join.inner() instanceof IndexLookup lookup && TableAccess.isUnique(lookup)) {
            leftUnique(join, lookup, scope, outer, consumer);
        } else {
            leftBuffered(join, scope, outer, consumer);
        }
    }

    /** One row or none: no loop, a row that may be missing. */
    private void leftUnique(NestedLoopJoin join, IndexLookup lookup, Scope scope, Row outer, Consumer<Row> consumer) {
        IndexLookup withCondition = lookup;
        if (join.condition().isPresent()) {
            withCondition =
                    new IndexLookup(lookup.table(), lookup.index(), lookup.keys(), Optional.empty(), lookup.fields());
        }
        operators.tables().lookupOrMissing(withCondition, scope, found -> {
            int address = found.address();
            if (join.condition().isPresent()) {
                Label missing = code.newLabel();
                Label keep = code.newLabel();
                code.conditionally(() -> {
                    code.loadLong(address);
                    code.push(0L);
                    code.raw().lcmp().ifeq(keep);
                    Row inner = new TableRow(code, lookup.table(), address, found.reads(), false);
                    jumpUnlessTrue(lookup.filter(), scope, inner, missing);
                    jumpUnlessTrue(join.condition(), scope, Row.concat(outer, inner), missing);
                    code.jump(keep);
                });
                code.bind(missing);
                code.setLong(address, 0);
                code.bind(keep);
            }
            consumer.accept(Row.concat(outer, found));
        });
    }

    /** Puts the matches of an outer row aside, or a row of NULLs where there is none, and goes through them. */
    private void leftBuffered(NestedLoopJoin join, Scope scope, Row outer, Consumer<Row> consumer) {
        List<PlanField> columns = new ArrayList<>();
        for (PlanField field : join.inner().fields()) {
            columns.add(new PlanField(field.name(), field.type(), true));
        }
        StatementField buffer = Buffers.field(code.owner(), "matches", columns);
        Buffers buffers = operators.buffers();
        code.conditionally(() -> {
            operators.clear(buffer);
            boolean[] inRow = Operators.stringColumns(columns);
            operators.produce(join.inner(), scope, inner -> {
                Label skip = code.newLabel();
                code.conditionally(() -> {
                    jumpUnlessTrue(join.condition(), scope, Row.concat(outer, inner), skip);
                    buffers.append(() -> code.field(buffer), columns, inner, false);
                });
                code.bind(skip);
            });
            Label matched = code.newLabel();
            code.field(buffer);
            code.raw()
                    .getfield(Code.descriptor(RowBuffer.class), "end", ConstantDescs.CD_int)
                    .ifne(matched);
            code.conditionally(() -> buffers.append(() -> code.field(buffer), columns, nulls(columns), false));
            code.bind(matched);
            buffers.forEach(
                    () -> code.field(buffer), columns, inRow, inner -> consumer.accept(Row.concat(outer, inner)));
        });
    }

    private Row nulls(List<PlanField> columns) {
        return Row.of(code, columns.stream().map(c -> Value.nullOf(c.type())).toList());
    }
}
