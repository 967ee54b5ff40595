package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.Sequence;
import io.reprise.catalog.Suggestions;
import io.reprise.catalog.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Resolves the names of tables, views and sequences: a statement names them by the catalog's names afterwards, with their own names as
 * aliases. Queries of views take the places of the views' names in FROM, as derived tables.
 */
final class TableReferences extends SqlShuttle {
    private static final Set<String> OF_SEQUENCES = Set.of("NEXTVAL", "CURRVAL", "SETVAL");

    /** The operand of an INSERT that is its table. */
    private static final int INSERT_TARGET = 1;

    /** The operand of a DELETE that is its alias. */
    private static final int DELETE_ALIAS = 3;

    private final Catalog catalog;
    private final SearchPath path;

    /** The names that WITH gives to queries, which hide tables and views. The innermost WITH comes first. */
    private final WithNames hidden;

    TableReferences(Catalog catalog, SearchPath path) {
        this.catalog = catalog;
        this.path = path;
        hidden = new WithNames(catalog);
    }

    /** The statement with resolved names and without views; the table that it writes is resolved in place. */
    SqlNode resolved(SqlNode statement) {
        switch (statement) {
            case SqlInsert insert -> insert.setOperand(INSERT_TARGET, target(insert.getTargetTable()));
            case SqlUpdate update -> {
                SqlNode target = target(update.getTargetTable());
                if (update.getAlias() == null && isQualified(target)) {
                    update.setAlias(alias(target));
                }
                update.setOperand(0, target);
            }
            case SqlDelete delete -> {
                SqlNode target = target(delete.getTargetTable());
                if (delete.getAlias() == null && isQualified(target)) {
                    delete.setOperand(DELETE_ALIAS, alias(target));
                }
                delete.setOperand(0, target);
            }
            default -> {}
        }
        return statement.accept(this);
    }

    private SqlNode target(SqlNode written) {
        String name = written instanceof SqlIdentifier identifier ? name(identifier) : null;
        if (name == null) {
            return written;
        }
        if (catalog.views().containsKey(name)) {
            throw PlanningErrors.at(
                    written.getParserPosition(), name + " is a view, which can't be written: write its tables");
        }
        return new SqlIdentifier(name, written.getParserPosition());
    }

    /** Whether an identifier is a resolved name with a schema in it. */
    static boolean isQualified(SqlNode resolved) {
        return resolved instanceof SqlIdentifier name
                && name.isSimple()
                && name.getSimple().indexOf('.') >= 0;
    }

    /** The name without its schema, as an alias. */
    static SqlIdentifier alias(SqlNode resolved) {
        return new SqlIdentifier(
                QualifiedName.simple(((SqlIdentifier) resolved).getSimple()), resolved.getParserPosition());
    }

    /** A resolved table in FROM, under its name without the schema. */
    static SqlNode underAlias(SqlNode resolved) {
        return isQualified(resolved)
                ? SqlStdOperatorTable.AS.createCall(resolved.getParserPosition(), resolved, alias(resolved))
                : resolved;
    }

    /** A column with schema and table in front loses the schema. */
    @Override
    public SqlNode visit(SqlIdentifier name) {
        boolean table = name.names.size() > 2
                && catalog.hasRelation(QualifiedName.of(name.names.get(0), name.names.get(1)))
                && catalog.hasSchema(name.names.get(0));
        return table ? name.getComponent(1, name.names.size()) : name;
    }

    @Override
    public SqlNode visit(SqlCall call) {
        PlanningLimit.check();
        if (call instanceof SqlWith with) {
            return with(with);
        } else if (call.getKind() == SqlKind.EXPLICIT_TABLE) {
            return explicit(call);
        } else if (call.getKind() == SqlKind.NEXT_VALUE || call.getKind() == SqlKind.CURRENT_VALUE) {
            String name = call.operand(0) instanceof SqlIdentifier identifier ? name(identifier) : null;
            return name == null
                    ? call
                    : call.getOperator()
                            .createCall(
                                    call.getParserPosition(),
                                    new SqlIdentifier(name, call.operand(0).getParserPosition()));
        }
        SqlNode visited = super.visit(call);
        if (visited instanceof SqlSelect select && select.getFrom() != null) {
            select.setFrom(from(select.getFrom()));
        } else if (visited instanceof SqlCall function
                && !path.isDefault()
                && OF_SEQUENCES.contains(function.getOperator().getName())) {
            nameSequence(function);
        }
        return visited;
    }

    /** TABLE t. */
    private SqlNode explicit(SqlCall call) {
        SqlNode table = from(call.operand(0));
        return table == call.operand(0) ? call : allOf(table);
    }

    /** Looks up a sequence that is named by text, and puts the catalog's name into the text. */
    private void nameSequence(SqlCall function) {
        SqlNode operand = function.operandCount() == 0 ? null : function.operand(0);
        if (operand instanceof SqlLiteral literal && SqlTypeName.CHAR_TYPES.contains(literal.getTypeName())) {
            String written = literal.getValueAs(String.class).strip();
            String name = Sequence.named(written);
            if (name.indexOf('.') < 0 && !written.contains(".")) {
                String found = path.find(name, catalog::hasRelation);
                function.setOperand(
                        0,
                        SqlLiteral.createCharString(
                                '"' + found.replace("\"", "\"\"") + '"', literal.getParserPosition()));
            }
        }
    }

    private SqlNode with(SqlWith with) {
        hidden.open();
        try {
            SqlNodeList items = new SqlNodeList(with.withList.getParserPosition());
            for (SqlNode node : with.withList) {
                SqlWithItem item = (SqlWithItem) node;
                SqlIdentifier own = hidden.named(item.name);
                if (item.recursive.booleanValue()) {
                    hidden.add(item.name, own);
                }
                SqlNode query = item.query.accept(this);
                hidden.add(item.name, own);
                items.add(new SqlWithItem(item.getParserPosition(), own, item.columnList, query, item.recursive));
            }
            return new SqlWith(with.getParserPosition(), items, with.body.accept(this));
        } finally {
            hidden.close();
        }
    }

    private SqlNode from(SqlNode table) {
        if (table instanceof SqlJoin join) {
            join.setLeft(from(join.getLeft()));
            join.setRight(from(join.getRight()));
            return join;
        } else if (table instanceof SqlCall as && as.getKind() == SqlKind.AS) {
            return switch (as.operand(0)) {
                case SqlIdentifier name -> aliased(as, name);
                case SqlJoin join -> joined(as, join);
                default -> as;
            };
        } else if (!(table instanceof SqlIdentifier)) {
            return table;
        }
        SqlIdentifier query = hidden.find((SqlIdentifier) table);
        if (query != null) {
            return WithNames.underAlias((SqlIdentifier) table, query);
        }
        String name = name((SqlIdentifier) table);
        if (name == null) {
            return table;
        }
        View view = catalog.views().get(name);
        if (view == null) {
            return underAlias(new SqlIdentifier(name, table.getParserPosition()));
        }
        List<SqlNode> operands = new ArrayList<>();
        operands.add(query(view));
        operands.add(new SqlIdentifier(QualifiedName.simple(name), table.getParserPosition()));
        addColumns(operands, view, table.getParserPosition());
        return SqlStdOperatorTable.AS.createCall(table.getParserPosition(), operands);
    }

    /** A join in parentheses with an alias hides the names of its tables, as a derived table does. */
    private SqlNode joined(SqlCall as, SqlJoin join) {
        List<SqlNode> operands = new ArrayList<>(as.getOperandList());
        operands.set(0, allOf(from(join)));
        return as.getOperator().createCall(as.getParserPosition(), operands);
    }

    private static SqlSelect allOf(SqlNode table) {
        SqlParserPos position = table.getParserPosition();
        SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(position));
        return new SqlSelect(position, null, all, table, null, null, null, null, null, null, null, null, null);
    }

    private SqlNode aliased(SqlCall as, SqlIdentifier written) {
        SqlIdentifier query = hidden.find(written);
        if (query != null) {
            List<SqlNode> operands = new ArrayList<>(as.getOperandList());
            operands.set(0, query);
            return as.getOperator().createCall(as.getParserPosition(), operands);
        }
        String name = name(written);
        if (name == null
                || written.names.equals(List.of(name)) && !catalog.views().containsKey(name)) {
            return as;
        }
        List<SqlNode> operands = new ArrayList<>(as.getOperandList());
        View view = catalog.views().get(name);
        operands.set(0, view == null ? new SqlIdentifier(name, written.getParserPosition()) : query(view));
        if (view != null && operands.size() == 2) {
            addColumns(operands, view, as.getParserPosition());
        }
        return as.getOperator().createCall(as.getParserPosition(), operands);
    }

    private static void addColumns(List<SqlNode> operands, View view, SqlParserPos position) {
        view.columns().forEach(column -> operands.add(new SqlIdentifier(column, position)));
    }

    /** The catalog's name of a table, view or sequence; null if an identifier is none, which validation tells. */
    private String name(SqlIdentifier identifier) {
        if (identifier.isSimple()) {
            return simple(identifier);
        } else if (identifier.names.size() != 2) {
            return null;
        }
        return relation(catalog, path, identifier.names, identifier.getParserPosition());
    }

    private String simple(SqlIdentifier identifier) {
        String simple = identifier.getSimple();
        if (simple.indexOf('.') >= 0) {
            return catalog.hasRelation(simple) ? simple : null;
        }
        String found = path.find(simple, catalog::hasRelation);
        if (catalog.hasRelation(found)) {
            return found;
        } else if (catalog.hasRelation(simple)) {
            throw PlanningErrors.at(
                    identifier.getParserPosition(),
                    "there is no table " + simple + " in the schemas " + String.join(", ", path.schemas()));
        }
        return null;
    }

    /** The catalog's name of the table, view or sequence with this name, or with its schema and this name. */
    static String relation(Catalog catalog, SearchPath path, List<String> names, SqlParserPos position) {
        if (names.size() == 1) {
            return path.find(names.getFirst(), catalog::hasRelation);
        }
        if (!catalog.hasSchema(names.getFirst())) {
            throw PlanningErrors.at(
                    position,
                    "there is no schema " + names.getFirst()
                            + Suggestions.didYouMean(names.getFirst(), catalog.schemas()));
        }
        String name = QualifiedName.of(names.getFirst(), names.getLast());
        if (!catalog.hasRelation(name)) {
            throw noTable(catalog, name, position);
        }
        return name;
    }

    private static SqlPlanningException noTable(Catalog catalog, String name, SqlParserPos position) {
        return PlanningErrors.at(
                position, PlanningErrors.noTable(name, catalog.tables().keySet()));
    }

    /** A view's query, in which names of WITH outside of it hide nothing. */
    private SqlNode query(View view) {
        StatementParser.Syntax syntax = (StatementParser.Syntax) StatementParser.parse(view.query());
        return new TableReferences(catalog, syntax.path()).resolved(syntax.node());
    }
}
