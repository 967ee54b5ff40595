package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.BufferedRow;
import io.reprise.sql.compile.emit.Cells;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.DistinctSet;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.GroupTable;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.compile.runtime.StringLists;
import io.reprise.sql.physical.FieldNames;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode.Aggregate;
import io.reprise.sql.physical.PlanNode.AggregateCall;
import java.lang.classfile.Label;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * GROUP BY and aggregates. Without groups the accumulators are local variables; with groups they are words of a {@code
 * GroupTable}. DISTINCT looks each value up in a set first.
 */
public final class Aggregates {
    private final Operators operators;
    private final Code code;

    public Aggregates(Operators operators) {
        this.operators = operators;
        code = operators.code();
    }

    public void produce(Aggregate aggregate, Scope scope, Consumer<Row> consumer) {
        if (aggregate.groupBy().isEmpty()) {
            scalar(aggregate, scope, consumer);
        } else {
            grouped(aggregate, scope, consumer);
        }
    }

    /**
     * The fields of one aggregate.
     *
     * @param distinct the values that DISTINCT has seen
     * @param strings those that STRING_AGG puts together
     */
    private record Collections(Optional<StatementField> distinct, Optional<StatementField> strings) {}

    private static List<Accumulator> accumulators(Aggregate aggregate, List<Collections> collections) {
        List<Accumulator> accumulators = new ArrayList<>();
        int keys = aggregate.groupBy().size();
        for (int i = 0; i < aggregate.calls().size(); i++) {
            AggregateCall call = aggregate.calls().get(i);
            PlanField field = aggregate.fields().get(keys + i);
            SqlType summed = call.argument().isPresent()
                    ? aggregate.input().fields().get(call.argument().getAsInt()).type()
                    : field.type();
            accumulators.add(new Accumulator(
                    call,
                    field.type(),
                    summed,
                    FieldNames.aggregate(aggregate, i),
                    collections.get(i).strings()));
        }
        return accumulators;
    }

    private List<Collections> collections(Aggregate aggregate) {
        List<Collections> collections = new ArrayList<>();
        for (AggregateCall call : aggregate.calls()) {
            boolean needsSet = call.distinct()
                    && call.argument().isPresent()
                    && call.function() != AggregateCall.Function.MIN
                    && call.function() != AggregateCall.Function.MAX;
            boolean needsStrings = call.function() == AggregateCall.Function.STRING_AGG;
            collections.add(new Collections(
                    needsSet ? Optional.of(distinctSet(aggregate, call)) : Optional.empty(),
                    needsStrings
                            ? Optional.of(code.owner().field("strings", StringLists.class, new FieldContent.Strings()))
                            : Optional.empty()));
        }
        for (Collections each : collections) {
            each.distinct().ifPresent(operators::clear);
            each.strings().ifPresent(operators::clear);
        }
        return collections;
    }

    private StatementField distinctSet(Aggregate aggregate, AggregateCall call) {
        SqlType type =
                aggregate.input().fields().get(call.argument().getAsInt()).type();
        boolean string = type.kind().isString();
        return code.owner().field("distinct", DistinctSet.class, new FieldContent.Distinct(string));
    }

    private void scalar(Aggregate aggregate, Scope scope, Consumer<Row> consumer) {
        List<Collections> collections = collections(aggregate);
        List<Accumulator> accumulators = accumulators(aggregate, collections);
        List<Cells> cells = new ArrayList<>();
        for (Accumulator accumulator : accumulators) {
            cells.add(Cells.locals(code, accumulator.words()));
        }
        int noGroup = code.newInt();
        code.setInt(noGroup, 0);
        operators.produce(aggregate.input(), scope, row -> {
            for (int i = 0; i < accumulators.size(); i++) {
                update(
                        operators,
                        accumulators.get(i),
                        cells.get(i),
                        collections.get(i).distinct(),
                        row,
                        noGroup);
            }
        });
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < accumulators.size(); i++) {
            results.add(accumulators.get(i).result(operators.expressions(), cells.get(i)));
        }
        consumer.accept(Row.of(code, results));
    }

    private static void update(
            Operators o, Accumulator accumulator, Cells cells, Optional<StatementField> set, Row row, int group) {
        Code code = o.code();
        AggregateCall call = accumulator.call();
        Label skip = code.newLabel();
        code.conditionally(() -> {
            if (call.filter().isPresent()) {
                Value filter = row.field(call.filter().getAsInt());
                code.jumpIfNull(filter, skip);
                code.push(filter);
                code.raw().l2i().ifeq(skip);
            }
            Optional<Value> argument = call.argument().isPresent()
                    ? Optional.of(row.field(call.argument().getAsInt()))
                    : Optional.empty();
            if (argument.isPresent() && call.function() != AggregateCall.Function.SINGLE) {
                code.jumpIfNull(argument.get(), skip);
            }
            if (set.isPresent()) {
                code.field(set.get());
                code.loadInt(group);
                pushCanonicalWord(code, argument.orElseThrow());
                code.call(DistinctSet.class, "add");
                code.raw().ifeq(skip);
            }
            accumulator.update(
                    o.expressions(),
                    cells,
                    argument,
                    part(row, call.high()),
                    part(row, call.count()),
                    part(row, call.separator()));
        });
        code.bind(skip);
    }

    private static Optional<Value> part(Row row, OptionalInt field) {
        return field.isPresent() ? Optional.of(row.field(field.getAsInt())) : Optional.empty();
    }

    /** Pushes a word that is equal for equal values. */
    private static void pushCanonicalWord(Code code, Value value) {
        if (value.isDouble() && !value.isConstant()) {
            code.push(value);
            code.call(Numbers.class, "bits");
        } else {
            code.pushWord(value);
        }
    }

    private void grouped(Aggregate aggregate, Scope scope, Consumer<Row> consumer) {
        List<PlanField> keys = aggregate.fields().subList(0, aggregate.groupBy().size());
        boolean[] strings = Operators.stringColumns(keys);
        List<Collections> collections = collections(aggregate);
        int words = accumulators(aggregate, collections).stream()
                .mapToInt(Accumulator::words)
                .sum();
        StatementField groups = code.owner().field("groups", GroupTable.class, new FieldContent.Groups(strings, words));
        operators.clear(groups);
        operators.outlinedUnlessCorrelated(
                "group", scope, (o, s) -> new Aggregates(o).collect(aggregate, s, groups, collections));
        emitGroups(aggregate, collections, groups, consumer);
    }

    private void collect(Aggregate aggregate, Scope scope, StatementField groups, List<Collections> collections) {
        List<PlanField> keys = aggregate.fields().subList(0, aggregate.groupBy().size());
        List<Accumulator> accumulators = accumulators(aggregate, collections);
        operators.produce(aggregate.input(), scope, row -> {
            List<Value> values = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                Value value = operators
                        .expressions()
                        .casts()
                        .represent(
                                row.field(aggregate.groupBy().get(i)),
                                keys.get(i).type());
                values.add(operators.buffers().canonical(value));
            }
            int words = code.newReference();
            int group = code.newInt();
            code.field(groups);
            code.call(GroupTable.class, "stage");
            code.storeInt(group);
            pushWords(groups, words);
            operators.buffers().write(words, group, values, false);
            code.field(groups);
            code.call(GroupTable.class, "find");
            code.storeInt(group);
            int first = RowShape.stride(keys.size());
            for (int i = 0; i < accumulators.size(); i++) {
                Cells cells = Cells.words(code, words, group, first);
                update(operators, accumulators.get(i), cells, collections.get(i).distinct(), row, group);
                first += accumulators.get(i).words();
            }
        });
    }

    private void pushWords(StatementField groups, int words) {
        code.field(groups);
        operators.buffers().pushWords(GroupTable.class);
        code.storeReference(words);
    }

    private void emitGroups(
            Aggregate aggregate, List<Collections> collections, StatementField groups, Consumer<Row> consumer) {
        List<PlanField> keys = aggregate.fields().subList(0, aggregate.groupBy().size());
        int words = code.newReference();
        int group = code.newInt();
        int end = code.newInt();
        pushWords(groups, words);
        code.field(groups);
        code.raw().getfield(Code.descriptor(GroupTable.class), "end", ConstantDescs.CD_int);
        code.storeInt(end);
        code.setInt(group, 0);
        Loop loop = new Loop(code);
        code.loadInt(group);
        code.loadInt(end);
        code.raw().if_icmpge(loop.end());
        loop.body(() -> {
            Row keyRow = new BufferedRow(code, keys, words, group, Operators.stringColumns(keys));
            consumer.accept(Row.derived(
                    Row.empty(code),
                    aggregate.fields().size(),
                    i -> i < keys.size()
                            ? keyRow.field(i)
                            : result(aggregate, collections, i - keys.size(), words, group)));
        });
        code.loadInt(group);
        code.field(groups);
        code.call(GroupTable.class, "stride");
        code.raw().iadd();
        code.storeInt(group);
        loop.close();
    }

    private Value result(Aggregate aggregate, List<Collections> collections, int call, int words, int group) {
        List<Accumulator> accumulators = accumulators(aggregate, collections);
        int first = RowShape.stride(aggregate.groupBy().size());
        for (int i = 0; i < call; i++) {
            first += accumulators.get(i).words();
        }
        return accumulators.get(call).result(operators.expressions(), Cells.words(code, words, group, first));
    }
}
