package io.reprise.sql.explain;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.OnConflict;
import io.reprise.sql.physical.ExpressionPrinter;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanShapes;
import io.reprise.sql.place.BucketCrossings;
import io.reprise.sql.place.StatementScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.rex.RexNode;

/** Prints a plan as EXPLAIN shows it: the scope, then one operator a line, inputs indented below. */
public final class PlanPrinter {
    private final StringBuilder out = new StringBuilder();
    private final Map<String, List<String>> outerRows = new HashMap<>();

    /** Whether the statement is confined to one bucket. */
    private final boolean confined;

    private PlanPrinter(StatementScope scope) {
        confined = scope instanceof StatementScope.Key;
    }

    public static String print(StatementScope scope, PlanNode fragment, Optional<PlanNode> merge) {
        PlanPrinter printer = new PlanPrinter(scope);
        printer.out.append("scope: ").append(printer.scope(scope)).append('\n');
        if (merge.isPresent()) {
            printer.out.append("in each partition:\n");
            printer.node(fragment, 1);
            printer.out.append("over their results:\n");
            printer.node(merge.get(), 1);
        } else {
            printer.node(fragment, 0);
        }
        return printer.out.toString();
    }

    private String scope(StatementScope scope) {
        return switch (scope) {
            case StatementScope.Key key ->
                "KEY(partition value = " + text(key.value(), List.of())
                        + String.join(
                                "",
                                key.others().stream()
                                        .map(other -> ", same bucket: " + text(other, List.of()))
                                        .toList())
                        + ")";
            case StatementScope.Any any -> "ANY";
            case StatementScope.All all -> "ALL";
            case StatementScope.Everywhere everywhere -> "EVERYWHERE";
        };
    }

    /** Prints an operator and what it reads from. Returns the names by which its fields are shown. */
    private List<String> node(PlanNode node, int depth) {
        int at = out.length();
        List<List<String>> inputs = new ArrayList<>();
        for (PlanNode input : PlanShapes.inputs(node)) {
            inputs.add(node(input, depth + 1));
            if (node instanceof PlanNode.NestedLoopJoin join && inputs.size() == 1) {
                outerRows.put(join.correlation(), inputs.getFirst());
            }
        }
        out.insert(at, "  ".repeat(depth) + line(node, inputs) + "\n");
        return names(node, inputs);
    }

    private static List<String> names(PlanNode node, List<List<String>> inputs) {
        return switch (node) {
            case PlanNode.Scan scan -> columns(scan.table());
            case PlanNode.IndexLookup lookup -> columns(lookup.table());
            case PlanNode.IndexRange range -> columns(range.table());
            case PlanNode.Filter filter -> inputs.getFirst();
            case PlanNode.Owned owned -> inputs.getFirst();
            case PlanNode.Guard guard -> inputs.getFirst();
            case PlanNode.Sort sort -> inputs.getFirst();
            case PlanNode.Limit limit -> inputs.getFirst();
            case PlanNode.Materialize materialize -> inputs.getFirst();
            case PlanNode.NestedLoopJoin join -> both(join, inputs);
            default -> node.fields().stream().map(PlanField::name).toList();
        };
    }

    private static List<String> both(PlanNode.NestedLoopJoin join, List<List<String>> inputs) {
        List<String> names = new ArrayList<>(inputs.getFirst());
        if (join.kind() == PlanNode.JoinKind.INNER || join.kind() == PlanNode.JoinKind.LEFT) {
            names.addAll(inputs.get(1));
        }
        return names;
    }

    private static List<String> columns(Table table) {
        return table.columns().stream().map(c -> table.name() + "." + c.name()).toList();
    }

    private String line(PlanNode node, List<List<String>> inputs) {
        List<String> names = inputs.isEmpty() ? List.of() : inputs.getFirst();
        return switch (node) {
            case PlanNode.Scan scan ->
                "scan " + scan.table().name() + filter(scan.filter(), scan.table()) + crossing(scan)
                        + UnusedKeys.remark(scan);
            case PlanNode.IndexLookup lookup -> lookup(lookup) + crossing(lookup);
            case PlanNode.IndexRange range -> range(range) + crossing(range);
            case PlanNode.Values values -> values(values);
            case PlanNode.Series series ->
                "series from " + text(series.start(), List.of()) + " to " + text(series.stop(), List.of()) + " by "
                        + text(series.step(), List.of());
            case PlanNode.Elements elements -> "elements of " + text(elements.array(), List.of());
            case PlanNode.Gathered gathered -> "gathered rows";
            case PlanNode.Recursion recursion -> recursion.distinct() ? "recursive union" : "recursive union all";
            case PlanNode.WorkTable table -> "rows of " + table.name() + " found last";
            case PlanNode.Filter filter -> "filter " + text(filter.condition(), names);
            case PlanNode.Owned owned -> "own rows only, by the bucket of " + names.get(owned.field());
            case PlanNode.Guard guard -> "only if " + text(guard.condition(), List.of());
            case PlanNode.Project project -> "project " + project(project, names);
            case PlanNode.NestedLoopJoin join ->
                join.kind().name().toLowerCase(java.util.Locale.ROOT) + " join"
                        + join.condition()
                                .map(c -> " on " + text(c, joined(inputs)))
                                .orElse("");
            case PlanNode.Materialize materialize -> "materialize";
            case PlanNode.Aggregate aggregate -> aggregate(aggregate, names);
            case PlanNode.Window window -> window(window, names);
            case PlanNode.Sort sort -> "sort by " + keys(sort.keys(), names) + counts(sort.offset(), sort.fetch());
            case PlanNode.Limit limit -> "limit" + counts(limit.offset(), limit.fetch());
            case PlanNode.UnionAll union -> "union all";
            case PlanNode.Insert insert ->
                switch (insert.onConflict()) {
                            case FAIL -> "insert into ";
                            case UPDATE -> "upsert into ";
                            case SKIP -> "insert rows with new keys into ";
                        }
                        + insert.table().name()
                        + setColumns(insert)
                        + (insert.onlyOwned() ? " (rows of own buckets only)" : "")
                        + returning(insert);
            case PlanNode.Update update -> update(update, names);
            case PlanNode.Delete delete -> "delete from " + delete.table().name() + returning(delete);
            case PlanNode.Truncate truncate -> "truncate " + truncate.table().name();
        };
    }

    /** The columns that an UPSERT sets in a row that exists, unless it sets all. */
    private static String setColumns(PlanNode.Insert insert) {
        if (insert.onConflict() != OnConflict.UPDATE
                || insert.named().size() == insert.table().columns().size()) {
            return "";
        }
        List<String> columns = columns(insert.table());
        return insert.named().stream().map(columns::get).collect(Collectors.joining(", ", " (", ")"));
    }

    private static List<String> joined(List<List<String>> inputs) {
        List<String> names = new ArrayList<>(inputs.get(0));
        names.addAll(inputs.get(1));
        return names;
    }

    private String lookup(PlanNode.IndexLookup lookup) {
        List<String> columns = columns(lookup.table());
        return (lookup.index().unique() ? "unique lookup " : "lookup ") + by(lookup.table(), lookup.index()) + ": "
                + equal(lookup.index(), lookup.keys(), columns, lookup.table())
                + filter(lookup.filter(), lookup.table());
    }

    /** The mark of an access that finds rows of any bucket. A read of all rows in all partitions has none, as the scope tells. */
    private String crossing(PlanNode access) {
        boolean all = access instanceof PlanNode.Scan
                || access instanceof PlanNode.IndexRange range
                        && range.equal().isEmpty()
                        && range.lower().isEmpty()
                        && range.upper().isEmpty();
        return BucketCrossings.crosses(access) && (confined || !all) ? ", across buckets" : "";
    }

    private static String by(Table table, Index index) {
        return table.name() + " by " + index.name();
    }

    private String equal(Index index, List<RexNode> keys, List<String> columns, Table table) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            parts.add(table.columns().get(index.columns().get(i)).name() + " = " + text(keys.get(i), columns));
        }
        return String.join(", ", parts);
    }

    private String range(PlanNode.IndexRange range) {
        List<String> columns = columns(range.table());
        List<String> parts = new ArrayList<>();
        if (!range.equal().isEmpty()) {
            parts.add(equal(range.index(), range.equal(), columns, range.table()));
        }
        if (range.equal().size() < range.index().columns().size()) {
            String next = range.table()
                    .columns()
                    .get(range.index().columns().get(range.equal().size()))
                    .name();
            range.lower().ifPresent(b -> parts.add(next + (b.inclusive() ? " >= " : " > ") + text(b.value(), columns)));
            range.upper().ifPresent(b -> parts.add(next + (b.inclusive() ? " <= " : " < ") + text(b.value(), columns)));
        }
        return "range " + by(range.table(), range.index()) + (range.descending() ? " descending" : "") + ": "
                + (parts.isEmpty() ? "all" : String.join(", ", parts)) + filter(range.filter(), range.table());
    }

    private String filter(Optional<RexNode> filter, Table table) {
        return filter.map(f -> " where " + text(f, columns(table))).orElse("");
    }

    private String values(PlanNode.Values values) {
        if (values.rows().size() != 1) {
            return "values: " + values.rows().size() + " rows";
        }
        return "values ("
                + String.join(
                        ", ",
                        values.rows().getFirst().stream()
                                .map(e -> text(e, List.of()))
                                .toList()) + ")";
    }

    private String project(PlanNode.Project project, List<String> names) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < project.expressions().size(); i++) {
            String expression = text(project.expressions().get(i), names);
            String name = project.fields().get(i).name();
            boolean obvious = expression.equals(name) || expression.endsWith("." + name);
            parts.add(obvious ? expression : expression + " as " + name);
        }
        return String.join(", ", parts);
    }

    private static String aggregate(PlanNode.Aggregate aggregate, List<String> names) {
        List<String> parts = new ArrayList<>();
        for (PlanNode.AggregateCall call : aggregate.calls()) {
            String argument =
                    call.argument().isPresent() ? names.get(call.argument().getAsInt()) : "*";
            if (call.high().isPresent()) {
                argument += ", " + names.get(call.high().getAsInt());
            }
            if (call.count().isPresent()) {
                argument += ", " + names.get(call.count().getAsInt());
            }
            if (call.separator().isPresent()) {
                argument += ", " + names.get(call.separator().getAsInt());
            }
            parts.add(call.function() + "(" + (call.distinct() ? "DISTINCT " : "") + argument + ")"
                    + (call.filter().isPresent()
                            ? " where " + names.get(call.filter().getAsInt())
                            : ""));
        }
        List<String> groups = aggregate.groupBy().stream().map(names::get).toList();
        String by = groups.isEmpty() ? "" : " by " + String.join(", ", groups);
        return parts.isEmpty() ? "distinct" + by : "aggregate " + String.join(", ", parts) + by;
    }

    private static String window(PlanNode.Window window, List<String> names) {
        List<String> calls = window.calls().stream()
                .map(call -> call.function() + "("
                        + call.arguments().stream().map(names::get).collect(Collectors.joining(", ")) + ")")
                .toList();
        String by = window.partitionBy().stream().map(names::get).collect(Collectors.joining(", "));
        return "window " + String.join(", ", calls)
                + (by.isEmpty() ? "" : " for each " + by)
                + (window.orderBy().isEmpty() ? "" : " in the order of " + keys(window.orderBy(), names));
    }

    private static String keys(List<PlanNode.SortKey> keys, List<String> names) {
        List<String> parts = new ArrayList<>();
        for (PlanNode.SortKey key : keys) {
            String nulls =
                    key.nullsFirst() == key.descending() ? (key.nullsFirst() ? " nulls first" : " nulls last") : "";
            parts.add(names.get(key.field()) + (key.descending() ? " desc" : "") + nulls);
        }
        return String.join(", ", parts);
    }

    private String counts(Optional<RexNode> offset, Optional<RexNode> fetch) {
        return fetch.map(f -> " first " + text(f, List.of())).orElse("")
                + offset.map(o -> " after " + text(o, List.of())).orElse("");
    }

    private String update(PlanNode.Update update, List<String> names) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < update.columns().size(); i++) {
            parts.add(update.table().columns().get(update.columns().get(i)).name() + " = "
                    + text(update.expressions().get(i), names));
        }
        return "update " + update.table().name() + " set " + String.join(", ", parts) + returning(update);
    }

    private String returning(PlanNode.Write write) {
        return write.returning().isEmpty()
                ? ""
                : " returning "
                        + write.returning().stream()
                                .map(value -> text(value, columns(write.table())))
                                .collect(Collectors.joining(", "));
    }

    private String text(RexNode expression, List<String> names) {
        return ExpressionPrinter.print(expression, names, outerRows);
    }
}
