package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * UNION, INTERSECT and EXCEPT with ORDER BY. Calcite finds the column that a number names by its name, so columns of one name
 * get different ones: A and A0.
 */
final class OrderedSetQueries {
    private OrderedSetQueries() {}

    /** The query with different names for all columns of the first SELECT; refuses to order by a name that several have. */
    static SqlNode named(SqlOrderBy order) {
        SqlSelect first = first(order.query);
        if (first == null || first == order.query || order.orderList.isEmpty()) {
            return order;
        }
        SqlNodeList items = first.getSelectList();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof SqlIdentifier name && name.isStar()) {
                return order;
            }
            names.add(SqlValidatorUtil.alias(items.get(i), i));
        }
        Set<String> taken = new HashSet<>(names);
        if (taken.size() == names.size()) {
            return order;
        }
        order.orderList.forEach(item -> checkName(item, names));
        SqlNodeList renamed = new SqlNodeList(items.getParserPosition());
        Set<String> used = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            renamed.add(used.add(names.get(i)) ? items.get(i) : as(items.get(i), names.get(i), taken));
        }
        first.setSelectList(renamed);
        return order;
    }

    private static SqlNode as(SqlNode item, String name, Set<String> taken) {
        int number = 0;
        while (!taken.add(name + number)) {
            number++;
        }
        SqlParserPos position = item.getParserPosition();
        SqlNode expression = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
        return SqlStdOperatorTable.AS.createCall(position, expression, new SqlIdentifier(name + number, position));
    }

    private static void checkName(SqlNode item, List<String> names) {
        SqlNode ordered = item;
        while (ordered.getKind() == SqlKind.DESCENDING
                || ordered.getKind() == SqlKind.NULLS_FIRST
                || ordered.getKind() == SqlKind.NULLS_LAST) {
            ordered = ((SqlCall) ordered).operand(0);
        }
        if (ordered instanceof SqlIdentifier name
                && name.isSimple()
                && names.stream().filter(name.getSimple()::equals).count() > 1) {
            throw PlanningErrors.ambiguousOrder(name);
        }
    }

    /** The SELECT that names a set operation's columns; the query itself if it is one, null if there is none. */
    private static SqlSelect first(SqlNode query) {
        return switch (query.getKind()) {
            case SELECT -> (SqlSelect) query;
            case WITH -> {
                SqlNode body = ((SqlWith) query).body;
                yield body.getKind() == SqlKind.SELECT ? null : first(body);
            }
            case UNION, INTERSECT, EXCEPT -> first(((SqlCall) query).operand(0));
            default -> null;
        };
    }
}
