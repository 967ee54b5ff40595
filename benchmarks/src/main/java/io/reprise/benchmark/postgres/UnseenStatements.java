package io.reprise.benchmark.postgres;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Queries over tables of TPC-C that differ in more than their literals: in columns, conditions, order, groups and joined tables. None
 * comes twice. Owned by one thread.
 */
final class UnseenStatements {
    private static final int MOST_COLUMNS = 4;
    private static final int MOST_CONDITIONS = 3;
    private static final List<String> COMPARISONS = List.of("=", "<", ">", "<=", ">=", "<>");
    private static final List<String> AGGREGATES = List.of("SUM", "MIN", "MAX", "AVG", "COUNT");

    /**
     * One table, or two that are joined.
     *
     * @param from the FROM clause
     * @param join the condition of the join; empty for one table
     * @param columns numbers
     */
    private record Source(String from, String join, List<String> columns) {}

    private static final List<Source> SOURCES = List.of(
            new Source("district", "", List.of("d_id", "d_w_id", "d_next_o_id", "d_ytd", "d_tax")),
            new Source(
                    "customer",
                    "",
                    List.of("c_id", "c_d_id", "c_w_id", "c_balance", "c_discount", "c_payment_cnt", "c_delivery_cnt")),
            new Source("stock", "", List.of("s_i_id", "s_w_id", "s_quantity", "s_ytd", "s_order_cnt", "s_remote_cnt")),
            new Source("oorder", "", List.of("o_id", "o_d_id", "o_w_id", "o_c_id", "o_carrier_id", "o_ol_cnt")),
            new Source(
                    "oorder, customer",
                    "o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id",
                    List.of("o_id", "o_ol_cnt", "o_carrier_id", "c_id", "c_balance", "c_w_id", "c_d_id")),
            new Source(
                    "stock, item",
                    "s_i_id = i_id",
                    List.of("s_i_id", "s_w_id", "s_quantity", "s_order_cnt", "i_price", "i_im_id")));

    private final SplittableRandom random;
    private final Set<String> shapes = new HashSet<>();

    UnseenStatements(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The next query. */
    String next() {
        while (true) {
            String shape = shape();
            if (shapes.add(shape)) {
                return filled(shape);
            }
        }
    }

    private String filled(String shape) {
        StringBuilder text = new StringBuilder(shape);
        for (int at = text.indexOf("?"); at >= 0; at = text.indexOf("?", at)) {
            text.replace(at, at + 1, String.valueOf(random.nextInt(100)));
        }
        return text.toString();
    }

    private String shape() {
        Source source = SOURCES.get(random.nextInt(SOURCES.size()));
        List<String> columns = chosen(source.columns(), 1 + random.nextInt(MOST_COLUMNS));
        boolean grouped = random.nextInt(4) == 0;
        List<String> selected = grouped ? aggregates(columns) : columns;
        StringBuilder text = new StringBuilder("SELECT " + String.join(", ", selected) + " FROM " + source.from());
        List<String> conditions = new ArrayList<>();
        if (!source.join().isEmpty()) {
            conditions.add(source.join());
        }
        for (String column : chosen(source.columns(), 1 + random.nextInt(MOST_CONDITIONS))) {
            conditions.add(column + " " + COMPARISONS.get(random.nextInt(COMPARISONS.size())) + " ?");
        }
        text.append(" WHERE ").append(String.join(" AND ", conditions));
        if (grouped) {
            text.append(" GROUP BY ").append(columns.getFirst());
        }
        if (random.nextBoolean()) {
            text.append(" ORDER BY ").append(columns.getFirst()).append(random.nextBoolean() ? " DESC" : "");
        }
        return text.append(" LIMIT 5").toString();
    }

    /** The first column, and aggregates of the others. */
    private List<String> aggregates(List<String> columns) {
        List<String> selected = new ArrayList<>(columns);
        for (int i = 1; i < selected.size(); i++) {
            selected.set(i, AGGREGATES.get(random.nextInt(AGGREGATES.size())) + "(" + selected.get(i) + ")");
        }
        return selected;
    }

    private List<String> chosen(List<String> from, int count) {
        List<String> rest = new ArrayList<>(from);
        List<String> chosen = new ArrayList<>();
        while (chosen.size() < count && !rest.isEmpty()) {
            chosen.add(rest.remove(random.nextInt(rest.size())));
        }
        return chosen;
    }
}
