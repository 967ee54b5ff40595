package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.procedure.Rows;
import io.reprise.sql.plan.PlanField;
import io.reprise.sql.plan.PlanNode;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementScope;
import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.junit.jupiter.api.Test;

final class SmokeTest {
    private static final SqlType BIGINT = SqlType.of(SqlType.Kind.BIGINT);
    private static final SqlType INT = SqlType.of(SqlType.Kind.INTEGER);
    private final SqlTypeFactoryImpl types = new SqlTypeFactoryImpl(RelDataTypeSystem.DEFAULT);
    private final RexBuilder rex = new RexBuilder(types);
    private final Table table = new Table(
            1,
            "T",
            List.of(
                    new Column("ID", 0, BIGINT, false, Optional.empty()),
                    new Column("N", 1, INT, true, Optional.empty()),
                    new Column("S", 2, SqlType.varchar(20), true, Optional.empty())),
            List.of(new Index("PK", 0, List.of(0), true, Index.Kind.HASH, true)),
            OptionalInt.of(0));
    private final List<PlanField> tableFields = List.of(
            new PlanField("ID", BIGINT, false), new PlanField("N", INT, true), new PlanField("S", SqlType.varchar(20), true));
    private final List<PlanField> countField = List.of(new PlanField("COUNT", BIGINT, false));

    private RelDataType bigint() {
        return types.createTypeWithNullability(types.createSqlType(SqlTypeName.BIGINT), true);
    }

    private RelDataType integer() {
        return types.createTypeWithNullability(types.createSqlType(SqlTypeName.INTEGER), true);
    }

    private RelDataType varchar() {
        return types.createTypeWithNullability(types.createSqlType(SqlTypeName.VARCHAR, 20), true);
    }

    @Test
    void shouldRunPointStatements() {
        PartitionStore store = new PartitionStore(PartitionStore.Options.single(1 << 28));
        store.createTable(table);
        RexNode p0 = rex.makeDynamicParam(bigint(), 0);
        RexNode p1 = rex.makeDynamicParam(integer(), 1);
        RexNode p2 = rex.makeDynamicParam(varchar(), 2);
        StatementScope key = new StatementScope.Key(p0, BIGINT);
        StatementPlan insert = new StatementPlan(
                "insert into t values (?,?,?)", key, List.of(BIGINT, INT, SqlType.varchar(20)), countField,
                new PlanNode.Insert(table, new PlanNode.Values(List.of(List.of(p0, p1, p2)), tableFields), false, false, countField),
                Optional.empty(), true, true, "");
        PlanNode.IndexLookup lookup = new PlanNode.IndexLookup(
                table, table.indexes().get(0), List.of(p0), Optional.empty(), tableFields);
        StatementPlan select = new StatementPlan(
                "select * from t where id = ?", key, List.of(BIGINT), tableFields, lookup, Optional.empty(), false, true, "");
        RexNode n = rex.makeInputRef(integer(), 1);
        RexNode sum = rex.makeCall(SqlStdOperatorTable.PLUS, n, p1);
        StatementPlan update = new StatementPlan(
                "update t set n = n + ? where id = ?", key, List.of(BIGINT, INT), countField,
                new PlanNode.Update(table, lookup, List.of(1), List.of(sum), countField), Optional.empty(), true, true, "");
        StatementPlan scan = new StatementPlan(
                "select * from t where n > 5 order by n desc", new StatementScope.All(), List.of(), tableFields,
                new PlanNode.Sort(
                        new PlanNode.Scan(
                                table,
                                Optional.of(rex.makeCall(
                                        SqlStdOperatorTable.GREATER_THAN, n, rex.makeExactLiteral(BigDecimal.valueOf(5)))),
                                tableFields),
                        List.of(new PlanNode.SortKey(1, true, true)), Optional.empty(), Optional.empty()),
                Optional.empty(), false, true, "");

        store.begin(5);
        CompiledStatement insertStatement = StatementFactory.compile(insert).create(store);
        CompiledStatement selectStatement = StatementFactory.compile(select).create(store);
        CompiledStatement updateStatement = StatementFactory.compile(update).create(store);
        CompiledStatement scanStatement = StatementFactory.compile(scan).create(store);
        for (int i = 0; i < 10; i++) {
            assertThat(insertStatement.set(0, i).set(1, i * 2).set(2, "text " + i).update()).isEqualTo(1);
        }
        assertThat(updateStatement.set(0, 3).set(1, 100).update()).isEqualTo(1);
        assertThat(updateStatement.set(0, 33).set(1, 100).update()).isEqualTo(0);

        assertThat(selectStatement.set(0, 3).first()).isTrue();
        assertThat(selectStatement.rows().longAt(0)).isEqualTo(3);
        assertThat(selectStatement.rows().longAt(1)).isEqualTo(106);
        assertThat(selectStatement.rows().stringAt(2)).isEqualTo("text 3");
        Rows rows = scanStatement.query();
        StringBuilder seen = new StringBuilder();
        while (rows.next()) {
            seen.append(rows.longAt(1)).append(rows.textAt(2)).append(' ');
        }
        assertThat(seen.toString())
                .isEqualTo("106text 3 18text 9 16text 8 14text 7 12text 6 10text 5 8text 4 ");
        store.commit();
        store.close();
    }
}
