package io.reprise.sql.compile.operator;

import io.reprise.catalog.Table;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.Aggregate;
import io.reprise.sql.physical.PlanNode.JoinKind;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.Label;

/** Questions about plans, and the bits of code that several kinds of statement share. */
public final class Plans {
    private Plans() {}

    /** Whether a plan reads a table. */
    public static boolean reads(PlanNode node, Table table) {
        return switch (node) {
            case PlanNode.Scan n -> n.table().id() == table.id();
            case PlanNode.IndexLookup n -> n.table().id() == table.id();
            case PlanNode.IndexRange n -> n.table().id() == table.id();
            case PlanNode.Values n -> false;
            case PlanNode.Series n -> false;
            case PlanNode.Elements n -> false;
            case PlanNode.WorkTable n -> false;
            case PlanNode.Recursion n -> reads(n.first(), table) || reads(n.step(), table);
            case PlanNode.Window n -> reads(n.input(), table);
            case PlanNode.Gathered n -> false;
            case PlanNode.Filter n -> reads(n.input(), table);
            case PlanNode.Owned n -> reads(n.input(), table);
            case PlanNode.Guard n -> reads(n.input(), table);
            case PlanNode.Project n -> reads(n.input(), table);
            case PlanNode.NestedLoopJoin n -> reads(n.outer(), table) || reads(n.inner(), table);
            case PlanNode.Materialize n -> reads(n.input(), table);
            case PlanNode.Aggregate n -> reads(n.input(), table);
            case PlanNode.Sort n -> reads(n.input(), table);
            case PlanNode.Limit n -> reads(n.input(), table);
            case PlanNode.UnionAll n -> n.inputs().stream().anyMatch(i -> reads(i, table));
            case PlanNode.Insert n -> true;
            case PlanNode.Update n -> true;
            case PlanNode.Delete n -> true;
            case PlanNode.Truncate n -> true;
        };
    }

    /** Whether the input of a write finds at most one row, and no index is being read when that row is there. */
    public static boolean findsAtMostOneRow(PlanNode node) {
        return switch (node) {
            case PlanNode.IndexLookup lookup -> TableAccess.isUnique(lookup);
            case PlanNode.Filter filter -> findsAtMostOneRow(filter.input());
            case PlanNode.Project project -> findsAtMostOneRow(project.input());
            case PlanNode.NestedLoopJoin join ->
                findsAtMostOneRow(join.outer())
                        && (join.kind() == JoinKind.SEMI
                                || join.kind() == JoinKind.ANTI
                                || givesExactlyOneRow(unguarded(join.inner())));
            default -> false;
        };
    }

    /** If a guard keeps its input from giving a row, an outer join gives one of NULLs. */
    private static PlanNode unguarded(PlanNode inner) {
        return inner instanceof PlanNode.Guard guard ? guard.input() : inner;
    }

    /** Whether the operator gives one row, whatever its input. */
    public static boolean givesExactlyOneRow(PlanNode node) {
        return switch (node) {
            case Aggregate aggregate -> aggregate.groupBy().isEmpty();
            case PlanNode.Project project -> givesExactlyOneRow(project.input());
            default -> false;
        };
    }

    /** Pushes the bucket of a partitioning value, as an int. */
    public static void pushBucket(Code code, Value value) {
        Label end = code.newLabel();
        Label isNull = code.newLabel();
        code.jumpIfNull(value, isNull);
        code.store();
        if (value.isString()) {
            code.memory();
            code.push(value);
            code.call(Strings.class, "hash");
        } else if (value.isDouble()) {
            code.push(value);
            code.call(Numbers.class, "bits");
        } else {
            code.push(value);
        }
        code.call(PartitionStore.class, "bucketOf");
        if (value.isNull || value.hasNullFlag()) {
            code.jump(end);
            code.bind(isNull);
            code.store();
            code.push(0L);
            code.call(PartitionStore.class, "bucketOf");
            code.bind(end);
        } else {
            code.bind(isNull);
            code.bind(end);
        }
    }

    /** Emits code and what is to be done if it throws, before the exception goes on. */
    public static void onFailure(Code code, Runnable body, Runnable cleanUp) {
        Label start = code.newLabel();
        Label end = code.newLabel();
        Label handler = code.newLabel();
        Label after = code.newLabel();
        code.bind(start);
        code.conditionally(body);
        code.bind(end);
        code.jump(after);
        code.bind(handler);
        int exception = code.newReference();
        code.storeReference(exception);
        code.conditionally(cleanUp);
        code.loadReference(exception);
        code.raw().athrow();
        code.bind(after);
        code.raw().exceptionCatchAll(start, end, handler);
    }
}
