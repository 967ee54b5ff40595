package io.reprise.sql.plan;

import io.reprise.catalog.ChildSearch;
import io.reprise.catalog.ForeignKeys;
import io.reprise.catalog.Table;
import java.util.List;

/**
 * A foreign key that a write has to settle.
 *
 * @param searchesChildren whether the write may take keys from parents, so that their children are looked for
 */
public record SettledKey(ForeignKeys.Enforced key, boolean searchesChildren) {
    /** The way to the children. */
    public ChildSearch search() {
        return ChildSearch.of(key.child(), key.childColumns());
    }

    /** Lines of EXPLAIN: the tables in which the keys are looked up. */
    static String explanation(List<SettledKey> keys) {
        StringBuilder out = new StringBuilder();
        for (SettledKey settled : keys) {
            Table child = settled.key.child();
            out.append("foreign key ").append(settled.key.key().name()).append(": ");
            if (settled.searchesChildren) {
                out.append("searches ")
                        .append(child.name())
                        .append(settled.search()
                                .index()
                                .map(index -> " by " + index.name())
                                .orElse(" by a scan"))
                        .append(settled.crossesBuckets() ? ", across buckets" : "");
            } else {
                out.append("looks up ").append(settled.key.parent().name());
            }
            out.append('\n');
        }
        return out.toString();
    }

    /** Whether the search for children looks at rows of other buckets. */
    boolean crossesBuckets() {
        return searchesChildren && search().crossesBuckets(key.child());
    }
}
