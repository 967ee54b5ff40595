package io.reprise.engine.replication;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The queries of a {@link Member} whose rows are asked for before the procedure awaits them. A query answers as long as the member has
 * written nothing to its partition. Owned by the home's thread.
 */
final class Prefetches {
    /** In the order in which runs of the procedure name them; those that no longer answer are null. */
    private final List<RemoteStatement> queries = new ArrayList<>();

    /** The number of queries that the present run has named. */
    private int named;

    /** Forgets all. */
    void clear() {
        queries.clear();
        named = 0;
    }

    /** A run of the procedure begins. */
    void beginRun() {
        named = 0;
    }

    /** The run names its next query. Whether no earlier run has named it. */
    boolean isNextNew() {
        return named++ == queries.size();
    }

    void add(RemoteStatement query) {
        queries.add(query);
    }

    /** A query that answers, sent or not; null if there is none. */
    RemoteStatement of(int statement, byte[] parameters) {
        for (RemoteStatement each : queries) {
            if (each != null && each.failure == null && each.isLike(statement, parameters)) {
                return each;
            }
        }
        return null;
    }

    /** Partitions are written to: their queries no longer answer. */
    void forget(int... written) {
        for (int i = 0; i < queries.size(); i++) {
            RemoteStatement each = queries.get(i);
            if (each != null && Arrays.stream(written).anyMatch(partition -> partition == each.partitions[0])) {
                queries.set(i, null);
            }
        }
    }

    /** The participants have returned to an earlier state: no query that was sent answers. */
    void forgetSent() {
        queries.replaceAll(each -> each != null && each.isSent() ? null : each);
    }
}
