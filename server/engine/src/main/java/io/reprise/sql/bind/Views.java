package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/** Puts the queries of views where FROM names them, as derived tables with the view's name. */
final class Views extends SqlShuttle {
    private final Catalog catalog;

    /** The names that WITH gives to queries, which hide views. */
    private final Deque<Set<String>> hidden = new ArrayDeque<>();

    private Views(Catalog catalog) {
        this.catalog = catalog;
    }

    /** The statement without views. */
    static SqlNode expanded(Catalog catalog, SqlNode statement) {
        return catalog.views().isEmpty() ? statement : statement.accept(new Views(catalog));
    }

    @Override
    public SqlNode visit(SqlCall call) {
        PlanningLimit.check();
        switch (call) {
            case SqlInsert insert -> refuseWrite(insert.getTargetTable());
            case SqlUpdate update -> refuseWrite(update.getTargetTable());
            case SqlDelete delete -> refuseWrite(delete.getTargetTable());
            default -> {}
        }
        if (call instanceof SqlWith with) {
            return with(with);
        } else if (call.getKind() == SqlKind.EXPLICIT_TABLE && view(call.operand(0)) != null) {
            SqlParserPos position = call.getParserPosition();
            SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(position));
            SqlNode from = from(call.operand(0));
            return new SqlSelect(position, null, all, from, null, null, null, null, null, null, null, null, null);
        }
        SqlNode visited = super.visit(call);
        if (visited instanceof SqlSelect select && select.getFrom() != null) {
            select.setFrom(from(select.getFrom()));
        }
        return visited;
    }

    private SqlNode with(SqlWith with) {
        Set<String> names = with.withList.stream()
                .map(item -> ((SqlWithItem) item).name.getSimple())
                .collect(Collectors.toSet());
        hidden.push(names);
        try {
            return super.visit(with);
        } finally {
            hidden.pop();
        }
    }

    private void refuseWrite(SqlNode target) {
        if (view(target) != null) {
            throw PlanningErrors.at(
                    target.getParserPosition(), target + " is a view, which can't be written: write its tables");
        }
    }

    private SqlNode from(SqlNode table) {
        if (table instanceof SqlJoin join) {
            join.setLeft(from(join.getLeft()));
            join.setRight(from(join.getRight()));
            return join;
        } else if (table instanceof SqlCall as && as.getKind() == SqlKind.AS && view(as.operand(0)) != null) {
            List<SqlNode> operands = new ArrayList<>(as.getOperandList());
            View view = view(as.operand(0));
            operands.set(0, query(view));
            if (operands.size() == 2) {
                addColumns(operands, view, as.getParserPosition());
            }
            return as.getOperator().createCall(as.getParserPosition(), operands);
        }
        View view = view(table);
        if (view == null) {
            return table;
        }
        List<SqlNode> operands = new ArrayList<>();
        operands.add(query(view));
        operands.add(new SqlIdentifier(view.name(), table.getParserPosition()));
        addColumns(operands, view, table.getParserPosition());
        return SqlStdOperatorTable.AS.createCall(table.getParserPosition(), operands);
    }

    private static void addColumns(List<SqlNode> operands, View view, SqlParserPos position) {
        view.columns().forEach(column -> operands.add(new SqlIdentifier(column, position)));
    }

    private View view(SqlNode name) {
        if (!(name instanceof SqlIdentifier identifier) || !identifier.isSimple()) {
            return null;
        }
        String simple = identifier.getSimple();
        return hidden.stream().anyMatch(names -> names.contains(simple))
                ? null
                : catalog.views().get(simple);
    }

    /** A view's query, in which names of WITH outside of it hide nothing. */
    private SqlNode query(View view) {
        StatementParser.Syntax syntax = (StatementParser.Syntax) StatementParser.parse(view.query());
        return expanded(catalog, syntax.node());
    }
}
