package io.reprise.sql.compile;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.procedure.Statement;
import io.reprise.sql.plan.PlanField;
import io.reprise.sql.plan.PlanNode;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementScope;
import io.reprise.storage.PartitionStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Measures point statements by hand; not a test. */
final class PointTiming {
    private static final SqlType BIGINT = SqlType.of(SqlType.Kind.BIGINT);
    private static final SqlType VARCHAR = SqlType.varchar(24);
    private static final int ROWS = 1 << 20;

    private final Statement select;
    private final Statement update;
    private final Statement insert;
    private final PartitionStore store;
    private long transaction = 1 << 12;

    private PointTiming(PartitionStore store, Statement insert, Statement select, Statement update) {
        this.store = store;
        this.insert = insert;
        this.select = select;
        this.update = update;
    }

    long select(long key) {
        store.begin(transaction += 4096);
        long sum = 0;
        if (select.set(0, key).first()) {
            sum = select.rows().longAt(1) + select.rows().longAt(2);
        }
        store.commit();
        return sum;
    }

    long update(long key) {
        store.begin(transaction += 4096);
        long n = update.set(0, key).set(1, 7L).update();
        store.commit();
        return n;
    }

    long statements(long key, int count) {
        store.begin(transaction += 4096);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            if (select.set(0, (key + i * 7919L) & (ROWS - 1)).first()) {
                sum += select.rows().longAt(1) + select.rows().longAt(2);
            }
        }
        store.commit();
        return sum;
    }

    public static void main(String[] args) {
        SqlTypeFactoryImpl types = new SqlTypeFactoryImpl(RelDataTypeSystem.DEFAULT);
        RexBuilder rex = new RexBuilder(types);
        Table table = new Table(
                1,
                "T",
                List.of(
                        new Column("ID", 0, BIGINT, false, Optional.empty()),
                        new Column("A", 1, BIGINT, false, Optional.empty()),
                        new Column("B", 2, BIGINT, true, Optional.empty()),
                        new Column("S", 3, VARCHAR, true, Optional.empty())),
                List.of(new Index("PK", 0, List.of(0), true, Index.Kind.HASH, true)),
                OptionalInt.of(0));
        List<PlanField> tableFields = List.of(
                new PlanField("ID", BIGINT, false),
                new PlanField("A", BIGINT, false),
                new PlanField("B", BIGINT, true),
                new PlanField("S", VARCHAR, true));
        List<PlanField> count = List.of(new PlanField("COUNT", BIGINT, false));
        RelDataType bigint = types.createTypeWithNullability(types.createSqlType(SqlTypeName.BIGINT), true);
        RelDataType varchar = types.createTypeWithNullability(types.createSqlType(SqlTypeName.VARCHAR, 24), true);
        RexNode p0 = rex.makeDynamicParam(bigint, 0);
        RexNode p1 = rex.makeDynamicParam(bigint, 1);
        RexNode p2 = rex.makeDynamicParam(bigint, 2);
        RexNode p3 = rex.makeDynamicParam(varchar, 3);
        StatementScope key = new StatementScope.Key(p0, BIGINT);
        StatementPlan insert = new StatementPlan(
                "insert into t values (?,?,?,?)",
                key,
                List.of(BIGINT, BIGINT, BIGINT, VARCHAR),
                count,
                new PlanNode.Insert(
                        table, new PlanNode.Values(List.of(List.of(p0, p1, p2, p3)), tableFields), false, false, count),
                Optional.empty(),
                true,
                true,
                "");
        PlanNode.IndexLookup lookup =
                new PlanNode.IndexLookup(table, table.indexes().get(0), List.of(p0), Optional.empty(), tableFields);
        boolean strings = args.length > 0 && args[0].equals("strings");
        List<PlanField> output = strings ? tableFields : tableFields.subList(0, 3);
        StatementPlan select = new StatementPlan(
                "select id, a, b from t where id = ?",
                key,
                List.of(BIGINT),
                output,
                new PlanNode.Project(
                        lookup,
                        List.<RexNode>of(
                                        rex.makeInputRef(bigint, 0),
                                        rex.makeInputRef(bigint, 1),
                                        rex.makeInputRef(bigint, 2),
                                        rex.makeInputRef(varchar, 3))
                                .subList(0, output.size()),
                        output),
                Optional.empty(),
                false,
                true,
                "");
        RexNode sum = rex.makeCall(SqlStdOperatorTable.PLUS, rex.makeInputRef(bigint, 1), p1);
        StatementPlan update = new StatementPlan(
                "update t set a = a + ? where id = ?",
                key,
                List.of(BIGINT, BIGINT),
                count,
                new PlanNode.Update(table, lookup, List.of(1), List.of(sum), count),
                Optional.empty(),
                true,
                true,
                "");
        PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));
        store.createTable(table);
        PointTiming timing = new PointTiming(
                store,
                StatementFactory.compile(insert).create(store),
                StatementFactory.compile(select).create(store),
                StatementFactory.compile(update).create(store));
        timing.load();
        for (int round = 0; round < 6; round++) {
            timing.measure("select, 1M rows random", ROWS - 1, 0);
            timing.measure("select, 1k rows random", 1023, 0);
            timing.measure("update, 1M rows random", ROWS - 1, 1);
            timing.measure("update, 1k rows random", 1023, 1);
            timing.measure("select x10 per txn, 1M", ROWS - 1, 2);
            System.out.println();
        }
    }

    private void load() {
        for (long i = 0; i < ROWS; i++) {
            store.begin(transaction += 4096);
            insert.set(0, i).set(1, i * 3).set(2, i * 5).set(3, "the text of the row").update();
            store.commit();
        }
    }

    private void measure(String what, int mask, int kind) {
        SplittableRandom random = new SplittableRandom(5);
        int count = kind == 2 ? 300_000 : 3_000_000;
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long key = random.nextLong() & mask;
            sum += switch (kind) {
                case 0 -> select(key);
                case 1 -> update(key);
                default -> statements(key, 10);
            };
        }
        long ns = System.nanoTime() - start;
        System.out.printf("%s: %.1f ns (%d)%n", what, (double) ns / count / (kind == 2 ? 10 : 1), sum);
    }
}
