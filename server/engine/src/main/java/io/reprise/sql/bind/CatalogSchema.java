package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.DefaultValue;
import io.reprise.catalog.Index;
import io.reprise.catalog.Literals;
import io.reprise.catalog.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.ColumnStrategy;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.InitializerContext;
import org.apache.calcite.sql2rel.NullInitializerExpressionFactory;
import org.apache.calcite.util.ImmutableBitSet;

/** Shows our catalog to Calcite's validator and converter. */
public final class CatalogSchema extends AbstractSchema {
    private final Map<String, org.apache.calcite.schema.Table> tables = new HashMap<>();

    /** The number of rows that planning assumes for a table, because it has no statistics. */
    public static final double ROWS_OF_A_TABLE = 10_000;

    private CatalogSchema(Catalog catalog) {
        catalog.tables().forEach((name, table) -> tables.put(name, new PlannerTable(table)));
    }

    @Override
    protected Map<String, org.apache.calcite.schema.Table> getTableMap() {
        return tables;
    }

    /** A reader over the catalog's tables. */
    static CalciteCatalogReader reader(Catalog catalog, RelDataTypeFactory types) {
        Properties properties = new Properties();
        properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
        CalciteSchema root = CalciteSchema.createRootSchema(false, false, "", new CatalogSchema(catalog));
        return new CalciteCatalogReader(root, List.of(), types, new CalciteConnectionConfigImpl(properties));
    }

    /** A table of the catalog. */
    public static final class PlannerTable extends AbstractTable {
        private final Table table;
        private final Defaults defaults = new Defaults(this);

        PlannerTable(Table table) {
            this.table = table;
        }

        public Table table() {
            return table;
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory types) {
            RepriseTypeFactory ours = (RepriseTypeFactory) types;
            RelDataTypeFactory.Builder row = types.builder();
            for (Column column : table.columns()) {
                row.add(column.name(), ours.of(column.type(), column.nullable()));
            }
            return row.build();
        }

        /** Unique keys without nullable columns: with NULLs, equal keys would not be the same row. */
        @Override
        public Statistic getStatistic() {
            PlanningLimit.check();
            List<ImmutableBitSet> keys = new ArrayList<>();
            for (Index index : table.indexes()) {
                if (index.unique()
                        && index.columns().stream()
                                .noneMatch(c -> table.columns().get(c).nullable())) {
                    keys.add(ImmutableBitSet.of(index.columns()));
                }
            }
            return Statistics.of(ROWS_OF_A_TABLE, keys);
        }

        @Override
        public <C> C unwrap(Class<C> type) {
            return type.isInstance(defaults) ? type.cast(defaults) : super.unwrap(type);
        }
    }

    /** A column's default as an expression. */
    static SqlNode parsedDefault(Table table, Column column, String text) {
        try {
            return SqlParser.create(text, StatementParser.CONFIG)
                    .parseExpression()
                    .accept(new SyntaxRewriter());
        } catch (SqlParseException e) {
            throw new SqlPlanningException(
                    table.name(),
                    "the DEFAULT of column " + column.name() + " of table " + table.name() + " is not an expression: "
                            + text);
        }
    }

    /** The values of columns that INSERT leaves out. */
    private static final class Defaults extends NullInitializerExpressionFactory {
        private final PlannerTable table;

        Defaults(PlannerTable table) {
            this.table = table;
        }

        @Override
        public ColumnStrategy generationStrategy(RelOptTable ignored, int position) {
            Column column = table.table().columns().get(position);
            if (column.defaultValue().isPresent()) {
                return ColumnStrategy.DEFAULT;
            }
            return column.nullable() ? ColumnStrategy.NULLABLE : ColumnStrategy.NOT_NULLABLE;
        }

        @Override
        public RexNode newColumnDefaultValue(RelOptTable ignored, int position, InitializerContext context) {
            Column column = table.table().columns().get(position);
            if (column.defaultValue().isEmpty()) {
                return super.newColumnDefaultValue(ignored, position, context);
            }
            String text = column.defaultValue().get();
            if (!column.hasDefaultExpression()
                    && column.type().kind().isInteger()
                    && Literals.parse(column.type(), text) instanceof DefaultValue.Word word) {
                return integer(column, word.value(), context.getRexBuilder());
            }
            SqlNode parsed = parsedDefault(table.table(), column, text);
            RelDataType row = context.getRexBuilder().getTypeFactory().builder().build();
            return context.convertExpression(context.validateExpression(row, parsed));
        }

        /**
         * Without Calcite's validator, which takes no whole number of 19 digits; the validator of statements is ours.
         */
        private static RexNode integer(Column column, long value, RexBuilder rex) {
            RelDataTypeFactory types = rex.getTypeFactory();
            return rex.makeExactLiteral(
                    BigDecimal.valueOf(value),
                    types.createSqlType(SqlTypeName.valueOf(column.type().kind().name())));
        }
    }
}
