package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.SqlType;
import io.reprise.sql.grammar.ConflictClause;
import io.reprise.sql.grammar.JoinedWrite;
import io.reprise.sql.grammar.OverridingClause;
import io.reprise.sql.grammar.ReturningClause;
import io.reprise.sql.physical.RelPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.util.Util;

/**
 * Validates a parsed statement, converts it to relational algebra and applies those of Calcite's rules that only tidy
 * up. Sub-queries stay as they are, and no expression is simplified: the physical planner pushes predicates down,
 * orders joins and plans sub-queries, because it knows the cost of an access and controls evaluation order and NULLs.
 */
public final class LogicalPlanner {
    private static final HepProgram TIDY = new HepProgramBuilder()
            .addRuleInstance(CoreRules.PROJECT_REMOVE)
            .addRuleInstance(CoreRules.UNION_MERGE)
            .addRuleInstance(CoreRules.AGGREGATE_PROJECT_MERGE)
            .build();

    private LogicalPlanner() {}

    /**
     * A statement as algebra.
     *
     * @param rel for a query, the tree; for a write, the table modification
     * @param conflict the values that DO UPDATE sets, and its condition, over the row that exists and the inserted one; none: those of the
     *     inserted row
     * @param checks the conditions of the written table's checks
     * @param returning the values of written rows that a write returns; none: the count
     * @param outputNames the names of the result's columns; none: those of a count
     * @param roundings the treatment of digits that parameters have no room for
     * @param onConflict the reaction of an insert to a row with its primary key
     * @param setColumns the names of the columns that an insert sets in such a row; none: all that there are
     * @param sequences the values of sequences that it takes
     */
    public record Logical(
            RelNode rel,
            List<RexNode> conflict,
            List<RexNode> checks,
            List<RexNode> returning,
            List<String> outputNames,
            List<SqlType> parameters,
            List<ParameterRounding> roundings,
            OnConflict onConflict,
            List<String> setColumns,
            List<SequenceUse> sequences,
            RexBuilder rexBuilder) {}

    /** Plans a statement whose names are looked up in PUBLIC. */
    static Logical plan(Catalog catalog, SqlNode parsed) {
        return plan(catalog, SearchPath.DEFAULT, parsed);
    }

    /** Plans a statement. */
    public static Logical plan(Catalog catalog, SearchPath path, SqlNode parsed) {
        try {
            TableReferences references = new TableReferences(catalog, path);
            Optional<OverridingClause> overriding = IdentityColumns.clause(parsed);
            SqlNode whole = overriding.map(OverridingClause::insert).orElse(parsed);
            Optional<ReturningClause> returning = Returning.clause(whole).map(r -> Returning.resolved(r, references));
            SqlNode write = returning.map(ReturningClause::write).orElse(whole);
            Optional<ConflictClause> clause =
                    ConflictRules.clause(write).map(c -> ConflictRules.resolved(c, references));
            SqlNode statement = clause.<SqlNode>map(ConflictClause::insert).orElse(write);
            SqlNode expanded = references.resolved(statement);
            expanded.accept(new UnsupportedSyntax());
            SqlNode tidy = expanded.accept(new SyntaxRewriter());
            RepriseTypeFactory types = new RepriseTypeFactory();
            CalciteCatalogReader reader = CatalogSchema.reader(catalog, types);
            tidy = tidy.accept(new RecursiveQueries(query -> {
                StatementValidator validator = new StatementValidator(reader, types);
                return validator
                        .getValidatedNodeType(validator.validateStatement(query))
                        .getFieldNames();
            }));
            if (statement instanceof JoinedWrite joined) {
                SqlNode names =
                        references.resolved(JoinedNames.query(catalog, joined)).accept(new SyntaxRewriter());
                new StatementValidator(reader, types).validateStatement(names);
            }
            if (tidy instanceof SqlInsert insert && insert.getSource().getKind() == SqlKind.WITH) {
                // Calcite converts columns of other queries only to those of the table.
                insert.setSource(ColumnDefaults.allOf(insert.getSource(), List.of()));
            }
            if (tidy instanceof SqlInsert insert) {
                ListedSource.list(catalog, insert);
            }
            List<String> columns = insertColumns(tidy);
            boolean upsert = tidy instanceof SqlInsert insert && insert.isUpsert();
            ConflictRules conflict = clause.map(c -> ConflictRules.of(catalog, c))
                    .orElse(new ConflictRules(upsert ? OnConflict.UPDATE : OnConflict.FAIL, columns, Optional.empty()));
            if (overriding.isEmpty()) {
                IdentityColumns.check(catalog, tidy, columns);
            }
            if (tidy instanceof SqlInsert insert) {
                ColumnDefaults.addExpressions(catalog, insert);
                ColumnDefaults.resolve(catalog, insert, insertColumns(insert));
            } else if (tidy instanceof SqlUpdate update) {
                ColumnDefaults.resolve(catalog, update);
            }
            Optional<SqlNode> returned = returning
                    .map(r -> Returning.query(r, statement))
                    .map(query -> {
                        query.accept(new UnsupportedSyntax());
                        return query.accept(new SyntaxRewriter());
                    });
            List<SqlNode> parts = new ArrayList<>(List.of(tidy));
            conflict.query().ifPresent(query -> {
                query.accept(new UnsupportedSyntax());
                parts.add(query.accept(new SyntaxRewriter()));
            });
            returned.ifPresent(parts::add);
            SequenceCalls.Replaced replaced =
                    SequenceCalls.in(catalog, tidy, new SqlNodeList(parts, SqlParserPos.ZERO));
            parts.set(0, replaced.statement());
            Set<Integer> cast = ComparedParameters.cast(new SqlNodeList(parts, SqlParserPos.ZERO));
            Validated all = validated(reader, types, parts);
            StatementValidator validator = all.validator();
            List<SqlNode> validated = all.parts();
            SqlNode rewritten = parts.getFirst();
            List<SqlType> parameters = validator.parameterTypes(new SqlNodeList(validated, SqlParserPos.ZERO));
            RexBuilder rexBuilder = new StatementRexBuilder(types);
            List<RelNode> rels = new ArrayList<>();
            validated.forEach(part -> rels.add(convert(validator, reader, rexBuilder, part)));
            SqlNode result = returned.isPresent() ? validated.getLast() : validated.getFirst();
            List<String> names = result.isA(SqlKind.QUERY)
                    ? validator.getValidatedNodeType(result).getFieldNames()
                    : List.of();
            List<ParameterRounding> roundings = ComparedParameters.of(rels, parameters.size(), cast);
            List<RexNode> values = returning
                    .map(r -> Returning.values(rels.getLast(), r.items()))
                    .orElse(List.of());
            List<RexNode> updates =
                    conflict.query().isPresent() ? ConflictRules.values(rels.get(1), clause.orElseThrow()) : List.of();
            return new Logical(
                    rels.getFirst(),
                    updates,
                    checks(catalog, rewritten, reader, rexBuilder, types),
                    values,
                    names,
                    parameters,
                    roundings,
                    conflict.reaction(),
                    conflict.setColumns(),
                    replaced.uses(),
                    rexBuilder);
        } catch (RuntimeException | AssertionError e) {
            PlanningLimit.rethrow(e);
            throw PlanningErrors.of(e, catalog.tables().keySet());
        } catch (StackOverflowError e) {
            throw PlanningErrors.tooDeep();
        }
    }

    /** Validated statements, and the validator that knows their types. */
    private record Validated(StatementValidator validator, List<SqlNode> parts) {}

    /** Validates the parts of a statement. If the first one has aggregates of outer queries, they are moved there. */
    private static Validated validated(CalciteCatalogReader reader, RepriseTypeFactory types, List<SqlNode> parts) {
        SqlNode first = parts.getFirst();
        SqlNode copy = OuterAggregates.mayBeIn(first) ? OuterAggregates.copy(first) : first;
        try {
            return validatedAsTheyAre(reader, types, parts);
        } catch (OuterAggregate found) {
            if (copy == first) {
                throw found.refusal(first);
            }
            parts.set(
                    0,
                    OuterAggregates.moved(
                            copy, found, part -> new StatementValidator(reader, types).validateStatement(part)));
        }
        try {
            return validatedAsTheyAre(reader, types, parts);
        } catch (OuterAggregate left) {
            throw left.refusal(first);
        }
    }

    private static Validated validatedAsTheyAre(
            CalciteCatalogReader reader, RepriseTypeFactory types, List<SqlNode> parts) {
        StatementValidator validator = new StatementValidator(reader, types);
        try {
            List<SqlNode> validated = new ArrayList<>();
            parts.forEach(part -> validated.add(validator.validateStatement(part)));
            return new Validated(validator, validated);
        } catch (RuntimeException | AssertionError e) {
            OuterAggregate.rethrow(e);
            throw e;
        }
    }

    private static List<RexNode> checks(
            Catalog catalog,
            SqlNode write,
            CalciteCatalogReader reader,
            RexBuilder rexBuilder,
            RepriseTypeFactory types) {
        Optional<SqlNode> query = TableConditions.query(catalog, write);
        if (query.isEmpty()) {
            return List.of();
        }
        StatementValidator validator = new StatementValidator(reader, types);
        SqlNode validated = validator.validateStatement(query.get());
        return Returning.values(convert(validator, reader, rexBuilder, validated), write);
    }

    private static List<String> insertColumns(SqlNode statement) {
        return statement instanceof SqlInsert insert && insert.getTargetColumnList() != null
                ? insert.getTargetColumnList().stream()
                        .map(name -> Util.last(((SqlIdentifier) name).names))
                        .toList()
                : List.of();
    }

    /** Applies the rules; sub-queries inside of expressions are not reached. */
    public static RelNode tidied(RelNode rel) {
        HepPlanner planner = new HepPlanner(TIDY);
        planner.setRoot(rel);
        return planner.findBestExp();
    }

    /**
     * Projections stay as they were written: merged with one below, Calcite puts the sub-queries of a select list, and all
     * that stands beside them, over the wrong one's columns. {@link RelPlanner} puts expressions together itself.
     */
    private static RelNode convert(
            StatementValidator validator, CalciteCatalogReader reader, RexBuilder rexBuilder, SqlNode validated) {
        RelOptPlanner planner = new HepPlanner(TIDY);
        RelOptCluster cluster = RelOptCluster.create(planner, rexBuilder);
        cluster.setMetadataQuerySupplier(Knowledge::new);
        SqlToRelConverter converter = new SqlToRelConverter(
                (type, query, schema, view) -> {
                    throw new UnsupportedOperationException("views");
                },
                validator,
                reader,
                cluster,
                Convertlets.INSTANCE,
                SqlToRelConverter.config()
                        .withExpand(false)
                        .withInSubQueryThreshold(Integer.MAX_VALUE)
                        .withTrimUnusedFields(false)
                        .withRelBuilderConfigTransform(c -> c.withSimplify(false)
                                .withSimplifyValues(false)
                                .withPushJoinCondition(false)
                                .withBloat(-1)));
        return tidied(converter.convertQuery(validated, false, true).project());
    }

    /**
     * Calcite's knowledge about rows, by which it leaves out an aggregate of unique rows. It has none of conditions: to find
     * out which follows from another, Calcite would compute them, and fail at sub-queries and NULLs.
     */
    private static final class Knowledge extends RelMetadataQuery {
        @Override
        public RelOptPredicateList getPulledUpPredicates(RelNode rel) {
            return RelOptPredicateList.EMPTY;
        }
    }

    /** Keeps as they are the few calls that Calcite would replace by something less exact. */
    private static final class Convertlets implements SqlRexConvertletTable {
        private static final Convertlets INSTANCE = new Convertlets();
        private static final SqlRexConvertlet AS_IT_IS = (context, call) -> {
            List<RexNode> operands = call.getOperandList().stream()
                    .map(context::convertExpression)
                    .toList();
            return context.getRexBuilder().makeCall(call.getParserPosition(), call.getOperator(), operands);
        };
        private static final Map<SqlOperator, SqlRexConvertlet> OURS = Map.of(
                SqlStdOperatorTable.SQRT,
                AS_IT_IS,
                SqlStdOperatorTable.BITAND,
                AS_IT_IS,
                SqlStdOperatorTable.AVG,
                AS_IT_IS,
                RecursiveQueries.COLUMN,
                (context, call) -> context.getRexBuilder()
                        .makeAbstractCast(
                                context.getValidator().getValidatedNodeType(call),
                                context.convertExpression(call.operand(0)),
                                false));

        @Override
        public SqlRexConvertlet get(org.apache.calcite.sql.SqlCall call) {
            PlanningLimit.check();
            SqlRexConvertlet ours = OURS.get(call.getOperator());
            return ours != null ? ours : StandardConvertletTable.INSTANCE.get(call);
        }
    }
}
