package io.reprise.sql.plan;

import io.reprise.catalog.Catalog;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Plans of ad hoc statements by their text, the least recently used dropped first. A plan belongs to a version of the
 * catalog: with another version everything is planned again. Failures are not kept. Owned by one thread.
 */
public final class PlanCache {
    private final int capacity;
    private final LinkedHashMap<String, StatementPlan> plans = new LinkedHashMap<>(16, 0.75f, true);
    private long version = -1;

    /** A cache for so many plans. */
    public PlanCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a plan cache needs room for a plan: " + capacity);
        }
        this.capacity = capacity;
    }

    /** The plan of a statement, made now if it is not there. */
    public StatementPlan plan(Catalog catalog, String sql) {
        if (catalog.version() != version) {
            plans.clear();
            version = catalog.version();
        }
        StatementPlan plan = plans.get(sql);
        if (plan == null) {
            plan = StatementPlanner.plan(catalog, sql);
            plans.put(sql, plan);
            if (plans.size() > capacity) {
                Map.Entry<String, StatementPlan> eldest = plans.firstEntry();
                plans.remove(eldest.getKey());
            }
        }
        return plan;
    }

    /** The number of plans. */
    public int size() {
        return plans.size();
    }
}
