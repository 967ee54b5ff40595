package io.reprise.sql.compile;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.Rows;
import io.reprise.sql.compile.emit.ClassEmitter;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Parameters;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.operator.Buffers;
import io.reprise.sql.compile.operator.Checks;
import io.reprise.sql.compile.operator.Inserts;
import io.reprise.sql.compile.operator.Operators;
import io.reprise.sql.compile.operator.Plans;
import io.reprise.sql.compile.operator.RowWords;
import io.reprise.sql.compile.operator.TableAccess;
import io.reprise.sql.compile.operator.Updates;
import io.reprise.sql.compile.operator.WriteEmitter;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.ParameterValues;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.Delete;
import io.reprise.sql.physical.PlanNode.IndexLookup;
import io.reprise.sql.physical.PlanNode.Insert;
import io.reprise.sql.physical.PlanNode.Project;
import io.reprise.sql.physical.PlanNode.Sort;
import io.reprise.sql.physical.PlanNode.Truncate;
import io.reprise.sql.physical.PlanNode.Update;
import io.reprise.sql.physical.PlanNode.Values;
import io.reprise.sql.place.StatementScope;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.storage.ForeignKeyRule;
import io.reprise.storage.ForeignKeySettlement;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.ClassFile;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;

/** Emits the methods of a statement's class; see the package's description for what they look like. */
final class StatementCompiler {
    private static final MethodTypeDesc VOID = MethodTypeDesc.of(ConstantDescs.CD_void);
    private static final MethodTypeDesc LONG = MethodTypeDesc.of(ConstantDescs.CD_long);
    private static final MethodTypeDesc INT = MethodTypeDesc.of(ConstantDescs.CD_int);
    private static final MethodTypeDesc BOOLEAN = MethodTypeDesc.of(ConstantDescs.CD_boolean);
    private static final MethodTypeDesc ROWS = MethodTypeDesc.of(Code.descriptor(Rows.class));
    private static final MethodTypeDesc BUFFER = MethodTypeDesc.of(Code.descriptor(RowBuffer.class));

    private final ClassEmitter owner;
    private final StatementPlan plan;
    private final Parameters parameters;

    StatementCompiler(ClassEmitter owner, StatementPlan plan) {
        this.owner = owner;
        this.plan = plan;
        parameters = new Parameters(owner, ParameterValues.accepted(plan.parameters(), plan.roundings()));
    }

    void emit() {
        parameters.emitMembers();
        if (plan.writes()) {
            emitWrite();
        } else {
            emitQuery();
        }
        emitEntryPoints();
        if (plan.scope() instanceof StatementScope.Key key) {
            owner.method("bucket", INT, ClassFile.ACC_PUBLIC, code -> {
                parameters.emitCheck(code);
                pushBucket(new Operators(code, plan.parameters()), key.value(), key.type());
                code.raw().ireturn();
            });
        }
        lookupOf(plan.fragment()).filter(TableAccess::canPrefetch).ifPresent(this::emitPrefetch);
        plan.merge().ifPresent(this::emitMerge);
    }

    /** The lookup that is all that a statement reads. */
    private static Optional<IndexLookup> lookupOf(PlanNode node) {
        return switch (node) {
            case Project project -> lookupOf(project.input());
            case Update update -> lookupOf(update.input());
            case Delete delete -> lookupOf(delete.input());
            case IndexLookup lookup -> Optional.of(lookup);
            default -> Optional.empty();
        };
    }

    private void emitPrefetch(IndexLookup lookup) {
        owner.method("prefetch", VOID, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, code -> {
            parameters.emitCheck(code);
            Operators operators = new Operators(code, plan.parameters());
            int words = new RowWords(lookup, plan.fragment()).emit(operators);
            operators.tables().prefetch(lookup, operators.rootScope(), words);
            code.raw().return_();
        });
    }

    /** The write of a plan; its returned rows may be sorted above it. */
    private static PlanNode written(PlanNode fragment) {
        return fragment instanceof Sort sort ? sort.input() : fragment;
    }

    private static void pushBucket(Operators operators, RexNode partitioningValue, SqlType type) {
        Value value = operators.expressions().emit(partitioningValue, operators.rootScope(), type);
        Plans.pushBucket(operators.code(), value);
    }

    private void emitQuery() {
        owner.method("execute", VOID, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, code -> {
            Operators operators = new Operators(code, plan.parameters());
            begin(operators);
            boolean merged = plan.merge().isPresent();
            if (merged) {
                code.raw().aload(0);
                code.callOwn("beginFragment");
            }
            failing(
                    code,
                    () -> emitRows(
                            operators, plan.fragment(), merged ? plan.fragment().fields() : plan.output()));
            code.raw().return_();
        });
    }

    /** Emits the computing of a plan's rows into the statement's result. */
    private static void emitRows(Operators operators, PlanNode node, List<PlanField> output) {
        Code code = operators.code();
        int rows = code.newReference();
        code.baseField("rows", RowBuffer.class);
        code.storeReference(rows);
        code.loadReference(rows);
        code.call(RowBuffer.class, "clear");
        operators.produce(
                node,
                operators.rootScope(),
                row -> operators.buffers().append(() -> code.loadReference(rows), output, row, true));
    }

    private void begin(Operators operators) {
        Code code = operators.code();
        parameters.emitCheck(code);
        beginExecution(code);
        boolean checkedByRow = written(plan.fragment()) instanceof Insert insert && insert.input() instanceof Values;
        if (plan.scope() instanceof StatementScope.Key key) {
            checkScope(operators, key, checkedByRow);
        }
    }

    /** The check of one bucket asks the values and not the partition, which may own several of their buckets by chance. */
    private static void checkScope(Operators operators, StatementScope.Key key, boolean checkedByRow) {
        if (checkedByRow && key.others().isEmpty()) {
            return;
        }
        Code code = operators.code();
        int bucket = code.newInt();
        storeBucket(operators, key.value(), key.type(), bucket);
        int otherBucket = code.newInt();
        for (RexNode other : key.others()) {
            storeBucket(operators, other, key.type(), otherBucket);
            code.store();
            code.loadInt(bucket);
            code.loadInt(otherBucket);
            code.call(PartitionStore.class, "checkSameBucket");
        }
        if (!checkedByRow) {
            code.store();
            code.loadInt(bucket);
            code.call(PartitionStore.class, "checkScope");
        }
    }

    private static void storeBucket(Operators operators, RexNode partitioningValue, SqlType type, int bucket) {
        pushBucket(operators, partitioningValue, type);
        operators.code().storeInt(bucket);
    }

    /** Counts executions, by which a materialised input knows whether it is of this one. */
    private static void beginExecution(Code code) {
        code.raw().aload(0);
        code.baseField("execution", long.class);
        code.push(1L);
        code.raw().ladd().putfield(code.owner().self(), "execution", ConstantDescs.CD_long);
    }

    private void emitWrite() {
        owner.method("write", LONG, ClassFile.ACC_PROTECTED | ClassFile.ACC_FINAL, code -> {
            Operators operators = new Operators(code, plan.parameters(), StatementCompiler::emitWrite);
            int count = code.newLong();
            begin(operators);
            code.setLong(count, 0);
            if (canFailHalfway()) {
                int savepoint = code.newInt();
                code.store();
                code.call(PartitionStore.class, "savepoint");
                code.storeInt(savepoint);
                Runnable write = () -> {
                    emitWrite(operators, count);
                    settleForeignKeys(code, savepoint);
                };
                Plans.onFailure(code, write, () -> {
                    code.store();
                    code.loadInt(savepoint);
                    code.call(PartitionStore.class, "rollbackTo");
                });
            } else {
                emitWrite(operators, count);
            }
            code.loadLong(count);
            code.raw().lreturn();
        });
        owner.method("execute", VOID, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, code -> {
            if (plan.merge().isPresent()) {
                code.raw().aload(0);
                code.callOwn("beginFragment");
            }
            if (plan.returnsRows()) {
                code.raw()
                        .aload(0)
                        .invokevirtual(owner.self(), "write", LONG)
                        .pop2()
                        .return_();
                return;
            }
            code.baseField("rows", RowBuffer.class);
            code.raw().aload(0).invokevirtual(owner.self(), "write", LONG);
            code.call(RowBuffer.class, "setSingle");
            code.raw().return_();
        });
        owner.method("update", LONG, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, code -> {
            code.raw().aload(0).invokevirtual(owner.self(), "write", LONG).lreturn();
        });
    }

    private void settleForeignKeys(Code code, int savepoint) {
        if (plan.foreignKeys().isEmpty()) {
            return;
        }
        List<ForeignKeyRule> rules = plan.foreignKeys().stream()
                .map(key -> ForeignKeyRule.of(key.key()))
                .toList();
        code.field(owner.field("foreignKeys", ForeignKeySettlement.class, new FieldContent.ForeignKeys(rules)));
        if (plan.fragment() instanceof Truncate) {
            code.call(ForeignKeySettlement.class, "settleTruncation");
        } else {
            code.loadInt(savepoint);
            code.call(ForeignKeySettlement.class, "settle");
        }
    }

    /** Whether the statement can fail when it has written something already. */
    private boolean canFailHalfway() {
        if (plan.returnsRows()
                || !plan.foreignKeys().isEmpty()
                || plan.fragment() instanceof PlanNode.Write write
                        && !write.checks().isEmpty()) {
            return true;
        }
        return switch (plan.fragment()) {
            case Insert insert -> Inserts.isMultiRow(insert) || insert.upsert() && hasStrings(insert.table());
            case Update update ->
                !Plans.findsAtMostOneRow(update.input())
                        || update.columns().stream()
                                .anyMatch(c -> update.table()
                                        .columns()
                                        .get(c)
                                        .type()
                                        .kind()
                                        .isString());
            case Delete delete -> !Plans.findsAtMostOneRow(delete.input());
            default -> false;
        };
    }

    private static boolean hasStrings(io.reprise.catalog.Table table) {
        return table.columns().stream().anyMatch(c -> c.type().kind().isString());
    }

    private static void emitWrite(Operators operators, PlanNode.Write write, WriteEmitter.Written use) {
        WriteEmitter.Written written = Checks.before(operators, write, use);
        switch (write) {
            case Insert insert -> new Inserts(operators, insert, written).emit();
            case Update update -> new Updates(operators, row -> written.emit(row, -1)).emit(update);
            case Delete delete -> new Updates(operators, row -> written.emit(row, -1)).emit(delete);
            case Truncate truncate -> throw new IllegalStateException("TRUNCATE counts rows and returns none");
        }
    }

    private static void emitCounted(Operators operators, PlanNode node, int count) {
        if (node instanceof Truncate truncate) {
            Updates.truncate(operators, truncate, count);
        } else {
            emitWrite(operators, (PlanNode.Write) node, (row, number) -> {
                operators.code().loadLong(count);
                operators.code().push(1L);
                operators.code().raw().ladd();
                operators.code().storeLong(count);
            });
        }
    }

    private void emitWrite(Operators operators, int count) {
        Code code = operators.code();
        if (!plan.returnsRows()) {
            failing(code, () -> emitCounted(operators, plan.fragment(), count));
            return;
        }
        boolean merged = plan.merge().isPresent();
        failing(
                code,
                () -> emitRows(
                        operators, plan.fragment(), merged ? plan.fragment().fields() : plan.output()));
        code.baseField("rows", RowBuffer.class);
        code.call(RowBuffer.class, "count");
        code.raw().i2l();
        code.storeLong(count);
    }

    /** Emits what may fail with one error or another. */
    private void failing(Code code, Runnable emit) {
        if (plan.errorDetermined()) {
            emit.run();
            return;
        }
        code.replacing(() -> code.conditionally(emit), () -> {
            code.store();
            code.call(Errors.class, "undetermined");
        });
    }

    /** The methods that procedures call, repeated in each class so that the calls in them have one receiver type. */
    private void emitEntryPoints() {
        owner.method("query", ROWS, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, code -> {
            executeQuery(code);
            code.baseField("rows", RowBuffer.class);
            code.raw().areturn();
        });
        owner.method("first", BOOLEAN, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, code -> {
            executeQuery(code);
            code.baseField("rows", RowBuffer.class);
            code.call(RowBuffer.class, "next");
            code.raw().ireturn();
        });
    }

    /** The rows are those of no query until this one has succeeded. */
    private void executeQuery(Code code) {
        code.raw().aload(0);
        code.push(CompiledStatement.NO_TRANSACTION);
        code.raw().putfield(owner.self(), "rowsOf", ConstantDescs.CD_long);
        code.raw().aload(0).invokevirtual(owner.self(), "execute", VOID);
        code.raw().aload(0);
        code.store();
        code.call(PartitionStore.class, "transactionId");
        code.raw().putfield(owner.self(), "rowsOf", ConstantDescs.CD_long);
    }

    private void emitMerge(PlanNode merge) {
        StatementField gathered =
                Buffers.field(owner, "gathered", plan.fragment().fields());
        owner.method("gathered", BUFFER, ClassFile.ACC_PROTECTED | ClassFile.ACC_FINAL, code -> {
            code.field(gathered);
            code.raw().areturn();
        });
        owner.method("executeMerge", VOID, ClassFile.ACC_PROTECTED | ClassFile.ACC_FINAL, code -> {
            beginExecution(code);
            failing(code, () -> emitRows(new Operators(code, plan.parameters()), merge, plan.output()));
            code.raw().return_();
        });
    }
}
