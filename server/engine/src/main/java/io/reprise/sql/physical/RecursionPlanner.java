package io.reprise.sql.physical;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.util.Util;

/** Plans WITH RECURSIVE. */
final class RecursionPlanner {
    private final RelPlanner planner;

    /** The rows found last of the recursions around, by name; the innermost one of a name. */
    private final Map<String, PlanNode.WorkTable> working = new TreeMap<>();

    private int count;

    RecursionPlanner(RelPlanner planner) {
        this.planner = planner;
    }

    PlanNode plan(RepeatUnion union, Expressions.Environment environment) {
        String name = Util.last(union.getTransientTable().getQualifiedName());
        PlanNode first = planner.plan(input(union.getSeedRel()), environment);
        List<PlanField> fields = RelPlanner.fields(union.getSeedRel().getRowType());
        int number = count++;
        PlanNode.WorkTable outer = working.put(name, new PlanNode.WorkTable(number, name, fields));
        PlanNode step = planner.converted(
                planner.plan(input(union.getIterativeRel()), environment),
                union.getSeedRel().getRowType());
        if (outer == null) {
            working.remove(name);
        } else {
            working.put(name, outer);
        }
        return planner.converted(new PlanNode.Recursion(number, first, step, !union.all, fields), union.getRowType());
    }

    /** Calcite has spools around both parts, which keep rows for their readers. */
    private static RelNode input(RelNode part) {
        return part instanceof Spool spool ? spool.getInput() : part;
    }

    /** The rows found last of a recursion around. */
    PlanNode workTable(TableScan scan) {
        return working.get(Util.last(scan.getTable().getQualifiedName()));
    }
}
