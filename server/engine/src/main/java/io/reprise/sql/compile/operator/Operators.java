package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.TableRow;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.Limits;
import io.reprise.sql.compile.runtime.RowTemplate;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.Aggregate;
import io.reprise.sql.physical.PlanNode.Filter;
import io.reprise.sql.physical.PlanNode.Gathered;
import io.reprise.sql.physical.PlanNode.IndexLookup;
import io.reprise.sql.physical.PlanNode.IndexRange;
import io.reprise.sql.physical.PlanNode.Limit;
import io.reprise.sql.physical.PlanNode.Materialize;
import io.reprise.sql.physical.PlanNode.NestedLoopJoin;
import io.reprise.sql.physical.PlanNode.Project;
import io.reprise.sql.physical.PlanNode.Scan;
import io.reprise.sql.physical.PlanNode.Sort;
import io.reprise.sql.physical.PlanNode.UnionAll;
import io.reprise.sql.physical.PlanNode.Values;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.Label;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * The operators that produce rows. {@link #produce} emits the code that computes an operator's rows one after the other,
 * and has the consumer emit, at the place where a row is there, what is to be done with it: so a whole pipeline becomes
 * nested loops without any row being passed around. Operators that must see all input first (sort, group, materialise)
 * end a pipeline: they put rows into a buffer and begin another one that reads it.
 *
 * <p>The consumer is asked once for each operator, so no code is emitted twice; and it may jump out of the loops, to a
 * label that the caller binds after {@code produce}, when it needs no more rows.
 */
public final class Operators {
    private static final MethodTypeDesc VOID = MethodTypeDesc.of(ConstantDescs.CD_void);

    /** Rows of VALUES that are code, each a method of its own; of more, those of constants and parameters are data. */
    private static final int FEW_ROWS = 16;

    private final Code code;
    private final List<SqlType> parameters;
    private final Expressions expressions;
    private final Buffers buffers;
    private final TableAccess tables;
    private final WriteEmitter writes;
    private final Recursions recursions;

    /** Operators that only read. */
    public Operators(Code code, List<SqlType> parameters) {
        this(code, parameters, (operators, write, written) -> {
            throw Types.unsupported("a write inside a query");
        });
    }

    /** Operators that write, too. */
    public Operators(Code code, List<SqlType> parameters, WriteEmitter writes) {
        this(code, parameters, writes, new Recursions());
    }

    private Operators(Code code, List<SqlType> parameters, WriteEmitter writes, Recursions recursions) {
        this.recursions = recursions;
        this.code = code;
        this.parameters = parameters;
        this.writes = writes;
        expressions = new Expressions(code, parameters);
        buffers = new Buffers(code, expressions);
        tables = new TableAccess(code, expressions);
    }

    public Code code() {
        return code;
    }

    public Expressions expressions() {
        return expressions;
    }

    public Buffers buffers() {
        return buffers;
    }

    public TableAccess tables() {
        return tables;
    }

    /** The scope of what is not inside any join. */
    public Scope rootScope() {
        return new Scope(Row.empty(code), Map.of());
    }

    public void produce(PlanNode node, Scope scope, Consumer<Row> consume) {
        Consumer<Row> consumer = row -> {
            row.comesFrom(node);
            consume.accept(row);
        };
        switch (node) {
            case Scan scan -> tables.scan(scan, scope, consumer);
            case IndexLookup lookup -> tables.lookup(lookup, scope, consumer);
            case IndexRange range -> tables.range(range, scope, consumer);
            case Values values -> values(values, scope, consumer);
            case PlanNode.Series series -> new SeriesLoops(this).produce(series, scope, consumer);
            case PlanNode.Elements elements -> new ElementLoops(expressions).produce(elements, scope, consumer);
            case Gathered gathered -> gathered(gathered, consumer);
            case PlanNode.Recursion recursion -> recursion(recursion, scope, consumer);
            case PlanNode.WorkTable table -> recursions.forEachLast(code, table, consumer);
            case Filter filter -> filter(filter, scope, consumer);
            case PlanNode.Owned owned -> owned(owned, scope, consumer);
            case PlanNode.Guard guard -> guard(guard, scope, consumer);
            case Project project ->
                produce(project.input(), scope, row -> consumer.accept(project(project, row, scope)));
            case NestedLoopJoin join -> new Joins(this).produce(join, scope, consumer);
            case Materialize materialize -> materialize(materialize, consumer);
            case Aggregate aggregate -> new Aggregates(this).produce(aggregate, scope, consumer);
            case PlanNode.Window window -> new Windows(this).produce(window, scope, consumer);
            case Sort sort -> new Sorts(this).produce(sort, scope, consumer);
            case Limit limit -> limit(limit, scope, consumer);
            case UnionAll union -> union(union, scope, consumer);
            case PlanNode.Write write -> returned(write, consumer);
        }
    }

    /** The rows that a write returns. Their strings don't point into the table's rows, which may be deleted next. */
    private void returned(PlanNode.Write write, Consumer<Row> consumer) {
        writes.emit(
                this,
                write,
                (address, number) -> code.conditionally(() -> {
                    Scope scope = rootScope().withInput(new TableRow(code, write.table(), address, null, false));
                    List<Value> values = new ArrayList<>();
                    for (RexNode expression : write.returning()) {
                        values.add(stable(expressions.emit(expression, scope)));
                    }
                    if (write instanceof PlanNode.Insert insert && insert.numbered()) {
                        values.add(Value.local(write.fields().getLast().type(), number));
                    }
                    consumer.accept(Row.of(code, values));
                }));
    }

    /** A string that does not point into a row. */
    Value stable(Value value) {
        if (!value.inRow) {
            return value;
        }
        int slot = code.newLong();
        expressions.values().pushStable(value);
        code.storeLong(slot);
        return value.hasNullFlag() ? Value.nullable(value.type, slot, value.nullSlot) : Value.local(value.type, slot);
    }

    /** The same operators for another method. */
    Operators in(Code method) {
        return new Operators(method, parameters, writes, recursions);
    }

    /**
     * Emits code that needs nothing of the method at hand in a method of its own, and a call of it, so that methods stay
     * small enough for the JIT compiler.
     */
    public void outlined(String name, Consumer<Operators> emit) {
        code.callNew(name, VOID, body -> {
            emit.accept(in(body));
            body.raw().return_();
        });
    }

    /** The same where the code may need the outer rows of joins, which only the method at hand has: in place then. */
    public void outlinedUnlessCorrelated(
            String name, Scope scope, java.util.function.BiConsumer<Operators, Scope> emit) {
        if (scope.correlations().isEmpty()) {
            outlined(name, o -> emit.accept(o, o.rootScope()));
        } else {
            emit.accept(this, scope);
        }
    }

    private void filter(Filter filter, Scope scope, Consumer<Row> consumer) {
        produce(filter.input(), scope, row -> {
            Label skip = code.newLabel();
            code.conditionally(() -> {
                expressions.conditions().jumpUnlessTrue(filter.condition(), scope.withInput(row), skip);
                consumer.accept(row);
            });
            code.bind(skip);
        });
    }

    private void owned(PlanNode.Owned owned, Scope scope, Consumer<Row> consumer) {
        produce(owned.input(), scope, row -> {
            Label skip = code.newLabel();
            int bucket = code.newInt();
            Plans.pushBucket(code, row.field(owned.field()));
            code.storeInt(bucket);
            code.store();
            code.loadInt(bucket);
            code.call(PartitionStore.class, "owns");
            code.raw().ifeq(skip);
            code.conditionally(() -> consumer.accept(row));
            code.bind(skip);
        });
    }

    private void guard(PlanNode.Guard guard, Scope scope, Consumer<Row> consumer) {
        Label skip = code.newLabel();
        code.conditionally(() -> {
            expressions.conditions().jumpUnlessTrue(guard.condition(), scope, skip);
            produce(guard.input(), scope, consumer);
        });
        code.bind(skip);
    }

    private Row project(Project project, Row input, Scope scope) {
        return new ProjectedRow(expressions, project.expressions(), project.fields(), input, scope);
    }

    private Row row(Values values, int number, Scope scope) {
        return new ProjectedRow(expressions, values.rows().get(number), values.fields(), Row.empty(code), scope);
    }

    private void values(Values values, Scope scope, Consumer<Row> consumer) {
        if (values.rows().size() == 1) {
            consumer.accept(row(values, 0, scope));
            return;
        }
        StatementField buffer = Buffers.field(code.owner(), "values", values.fields());
        clear(buffer);
        boolean asData = values.rows().size() > FEW_ROWS;
        ListedRows listed = new ListedRows(expressions, values.fields());
        for (int i = 0; i < values.rows().size(); i++) {
            if (asData && listed.fits(values.rows().get(i))) {
                listed.add(values.rows().get(i));
                continue;
            }
            append(listed, buffer);
            listed = new ListedRows(expressions, values.fields());
            int number = i;
            outlinedUnlessCorrelated(
                    "row",
                    scope,
                    (o, s) -> o.buffers.append(
                            () -> o.code.field(buffer), values.fields(), o.row(values, number, s), false));
        }
        append(listed, buffer);
        buffers.forEach(
                () -> code.field(buffer),
                values.fields(),
                new boolean[values.fields().size()],
                consumer);
    }

    private void append(ListedRows rows, StatementField buffer) {
        if (rows.isEmpty()) {
            return;
        }
        RowTemplate template = rows.template();
        StatementField field = code.owner().field("template", RowTemplate.class, new FieldContent.Listed(template));
        code.field(field);
        code.field(buffer);
        code.raw().aload(0);
        code.call(RowTemplate.class, "appendTo");
    }

    public void clear(StatementField buffer) {
        code.field(buffer);
        code.call(buffer.type(), "clear");
    }

    private void gathered(Gathered gathered, Consumer<Row> consumer) {
        boolean[] inRow = new boolean[gathered.fields().size()];
        buffers.forEach(
                () -> {
                    code.raw().aload(0);
                    code.callOwn("gathered");
                },
                gathered.fields(),
                inRow,
                consumer);
    }

    private void materialize(Materialize materialize, Consumer<Row> consumer) {
        List<PlanField> fields = materialize.fields();
        StatementField buffer = Buffers.field(code.owner(), "materialized", fields);
        String filledIn = code.owner().variable("filledIn", long.class);
        boolean[] inRow = stringColumns(fields);
        Label filled = code.newLabel();
        code.baseField("execution", long.class);
        code.raw().aload(0).getfield(code.owner().self(), filledIn, ConstantDescs.CD_long);
        code.raw().lcmp().ifeq(filled);
        outlined("materialize", o -> {
            o.clear(buffer);
            o.produce(
                    materialize.input(),
                    o.rootScope(),
                    row -> o.buffers.append(() -> o.code.field(buffer), fields, row, false));
        });
        code.raw().aload(0);
        code.baseField("execution", long.class);
        code.raw().putfield(code.owner().self(), filledIn, ConstantDescs.CD_long);
        code.bind(filled);
        buffers.forEach(() -> code.field(buffer), fields, inRow, consumer);
    }

    /** Columns that may hold strings of rows, where nothing more is known. */
    public static boolean[] stringColumns(List<PlanField> fields) {
        boolean[] inRow = new boolean[fields.size()];
        for (int i = 0; i < inRow.length; i++) {
            inRow[i] = fields.get(i).type().kind().isString();
        }
        return inRow;
    }

    private void union(UnionAll union, Scope scope, Consumer<Row> consumer) {
        StatementField buffer = Buffers.field(code.owner(), "union", union.fields());
        clear(buffer);
        for (PlanNode input : union.inputs()) {
            outlinedUnlessCorrelated(
                    "input",
                    scope,
                    (o, s) -> o.produce(
                            input, s, row -> o.buffers.append(() -> o.code.field(buffer), union.fields(), row, false)));
        }
        buffers.forEach(() -> code.field(buffer), union.fields(), stringColumns(union.fields()), consumer);
    }

    private void recursion(PlanNode.Recursion recursion, Scope scope, Consumer<Row> consumer) {
        Recursions.Working working = recursions.begin(code, recursion);
        clear(working.rows());
        outlinedUnlessCorrelated(
                "first",
                scope,
                (o, s) -> o.produce(recursion.first(), s, row -> Recursions.append(o.code, o.buffers, working, row)));
        Recursions.repeat(
                code,
                working,
                () -> outlinedUnlessCorrelated(
                        "step",
                        scope,
                        (o, s) -> o.produce(
                                recursion.step(), s, row -> Recursions.append(o.code, o.buffers, working, row))));
        Recursions.forEach(code, working, consumer);
    }

    private void limit(Limit limit, Scope scope, Consumer<Row> consumer) {
        Label done = code.newLabel();
        int offset = bound("OFFSET", limit.offset(), scope, 0);
        int fetch = bound("LIMIT", limit.fetch(), scope, Long.MAX_VALUE);
        code.loadLong(fetch);
        code.push(0L);
        code.raw().lcmp().ifeq(done);
        code.conditionally(
                () -> produce(limit.input(), scope, row -> limited(row, offset, fetch, limit, consumer, done)));
        code.bind(done);
    }

    private void limited(Row row, int offset, int fetch, Limit limit, Consumer<Row> consumer, Label done) {
        Label skip = code.newLabel();
        if (limit.offset().isPresent()) {
            Label pass = code.newLabel();
            code.loadLong(offset);
            code.push(0L);
            code.raw().lcmp().ifeq(pass);
            decrement(offset);
            code.jump(skip);
            code.bind(pass);
        }
        code.conditionally(() -> {
            consumer.accept(row);
            if (limit.fetch().isPresent()) {
                decrement(fetch);
                code.loadLong(fetch);
                code.push(0L);
                code.raw().lcmp().ifeq(done);
            }
        });
        code.bind(skip);
    }

    private void decrement(int slot) {
        code.loadLong(slot);
        code.push(1L);
        code.raw().lsub();
        code.storeLong(slot);
    }

    /** A count, or the sum of two: as many rows as a partition may have among those that are wanted. */
    private Value count(RexNode expression, Scope scope) {
        if (!(expression instanceof RexCall sum) || sum.getKind() != SqlKind.PLUS) {
            return expressions.emit(expression, scope);
        }
        List<Value> counts = expressions.emitAll(sum.getOperands(), scope);
        return expressions.values().strict(Types.BIGINT, counts, () -> {
            counts.forEach(count -> expressions.values().pushDecimal(count, 0));
            code.call(Limits.class, "sum");
        });
    }

    /** Computes OFFSET or FETCH into a local. */
    public int bound(String what, Optional<RexNode> expression, Scope scope, long absent) {
        int slot = code.newLong();
        if (expression.isEmpty()) {
            code.setLong(slot, absent);
            return slot;
        }
        Value value = count(expression.get(), scope);
        code.push(what);
        expressions.values().pushDecimal(value, 0);
        code.pushNullFlag(value);
        code.call(Limits.class, "check");
        code.storeLong(slot);
        return slot;
    }
}
