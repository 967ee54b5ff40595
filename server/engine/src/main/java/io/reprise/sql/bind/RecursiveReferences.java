package io.reprise.sql.bind;

import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** The places at which a query of WITH RECURSIVE refers to itself, and those at which PostgreSQL refuses that. */
final class RecursiveReferences {
    private final String name;
    private int count;

    RecursiveReferences(String name) {
        this.name = name;
    }

    /** Whether a query refers to the name. */
    boolean areIn(SqlNode query) {
        count = 0;
        new Visitor(false).query(query);
        return count > 0;
    }

    /** Refuses references in the part that is repeated that have no meaning for the rows found last. */
    void check(SqlNode step) {
        count = 0;
        new Visitor(true).query(step);
    }

    private static SqlPlanningException refusal(SqlNode at, String name, String place) {
        return PlanningErrors.at(at.getParserPosition(), "the recursive query " + name + " can't be read " + place);
    }

    private final class Visitor extends SqlBasicVisitor<Void> {
        private final boolean refuses;

        /** The place at which a reference is refused; null: it may stand here. */
        private String place;

        Visitor(boolean refuses) {
            this.refuses = refuses;
        }

        void query(SqlNode node) {
            node.accept(this);
        }

        private void within(String newPlace, Runnable visit) {
            String before = place;
            place = place == null ? newPlace : place;
            visit.run();
            place = before;
        }

        @Override
        public Void visit(SqlCall call) {
            PlanningLimit.check();
            switch (call) {
                case SqlSelect select -> select(select);
                case SqlWith with -> with(with);
                default -> {
                    boolean differs = call.getKind() == SqlKind.EXCEPT || call.getKind() == SqlKind.INTERSECT;
                    within(differs ? "by EXCEPT or INTERSECT" : null, () -> super.visit(call));
                }
            }
            return null;
        }

        private void with(SqlWith with) {
            for (SqlNode node : with.withList) {
                SqlWithItem item = (SqlWithItem) node;
                item.query.accept(this);
                if (item.name.getSimple().equals(name)) {
                    return;
                }
            }
            with.body.accept(this);
        }

        private void select(SqlSelect select) {
            int before = count;
            if (select.getFrom() != null) {
                from(select.getFrom());
            }
            if (refuses && count > before && refersDirectly(select.getFrom())) {
                refuseAggregates(select);
            }
            within(
                    "in a sub-query",
                    () -> select.getOperandList().forEach(operand -> {
                        if (operand != null && operand != select.getFrom()) {
                            operand.accept(this);
                        }
                    }));
        }

        private boolean refersDirectly(SqlNode from) {
            return switch (from) {
                case SqlIdentifier table -> isName(table);
                case SqlJoin join -> refersDirectly(join.getLeft()) || refersDirectly(join.getRight());
                case SqlCall as when as.getKind() == SqlKind.AS -> refersDirectly(as.operand(0));
                default -> false;
            };
        }

        private void refuseAggregates(SqlSelect select) {
            SqlBasicVisitor<Void> aggregates = new SqlBasicVisitor<>() {
                @Override
                public Void visit(SqlCall call) {
                    if (call.isA(SqlKind.QUERY) || call.getKind() == SqlKind.OVER) {
                        return null;
                    } else if (OuterAggregates.isAggregate(call)) {
                        throw refusal(call, name, "beside an aggregate");
                    }
                    return super.visit(call);
                }
            };
            select.getSelectList().accept(aggregates);
            if (select.getHaving() != null) {
                select.getHaving().accept(aggregates);
            }
        }

        private void from(SqlNode table) {
            if (table instanceof SqlIdentifier written) {
                if (isName(written)) {
                    found(written);
                }
            } else if (table instanceof SqlJoin join) {
                JoinType type = join.getJoinType();
                String optional = "by the side of an outer join that may have no row";
                boolean left = type == JoinType.RIGHT || type == JoinType.FULL;
                boolean right = type == JoinType.LEFT || type == JoinType.FULL;
                within(left ? optional : null, () -> from(join.getLeft()));
                within(right ? optional : null, () -> from(join.getRight()));
                if (join.getCondition() != null) {
                    within("in a sub-query", () -> join.getCondition().accept(this));
                }
            } else if (table.getKind() == SqlKind.AS || table.getKind() == SqlKind.LATERAL) {
                from(((SqlCall) table).operand(0));
            } else {
                table.accept(this);
            }
        }

        private boolean isName(SqlIdentifier table) {
            return table.isSimple() && table.getSimple().equals(name);
        }

        private void found(SqlIdentifier reference) {
            count++;
            if (refuses && place != null) {
                throw refusal(reference, name, place);
            } else if (refuses && count > 1) {
                throw refusal(reference, name, "more than once");
            }
        }
    }
}
