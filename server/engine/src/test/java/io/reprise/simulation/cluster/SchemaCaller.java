package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.replication.SchemaCall;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** An operator who changes the schema at any node while faults happen: each change is a table and a procedure of its own. */
final class SchemaCaller implements Agent {
    private static final long PATIENCE_NS = 3_000_000_000L;

    private final List<ClusterMachine> nodes;
    private final Randomness random;
    private final int changes;
    private final SortedSet<Integer> made = new TreeSet<>();
    private int begun;
    private CompletableFuture<SchemaCall.Ended> told;
    private ClusterMachine at;
    private long incarnation;
    private long sinceNs;
    private long restUntilNs;

    SchemaCaller(List<ClusterMachine> nodes, Randomness random, int changes) {
        this.nodes = nodes;
        this.random = random;
        this.changes = changes;
    }

    @Override
    public String roleName() {
        return "operator";
    }

    boolean isDone() {
        return begun >= changes && told == null;
    }

    private static String table(int number) {
        return "EXTRA_" + number;
    }

    @Override
    public int doWork(long nowNs) {
        if (told != null) {
            return takeAnswer(nowNs);
        }
        if (begun >= changes || nowNs < restUntilNs) {
            return 0;
        }
        at = nodes.get(random.nextInt(nodes.size()));
        restUntilNs = nowNs + 1_000_000 + random.nextLong(300_000_000);
        if (!at.isUp()) {
            return 0;
        }
        incarnation = at.member().incarnation();
        sinceNs = nowNs;
        String table = table(++begun);
        try {
            told = at.engine()
                    .ddlAsync("CREATE TABLE " + table + " (id BIGINT NOT NULL PRIMARY KEY);" + " CREATE PROCEDURE Of_"
                            + table + " AS SELECT COUNT(*) FROM " + table);
        } catch (ProcedureException refused) {
            told = null;
        }
        return 1;
    }

    private int takeAnswer(long nowNs) {
        boolean hasEnded = !at.isUp() || at.member().incarnation() != incarnation || nowNs - sinceNs > PATIENCE_NS;
        if (!told.isDone() && !hasEnded) {
            return 0;
        }
        if (told.isDone() && !told.isCompletedExceptionally() && told.join().end() == SchemaCall.End.MADE) {
            made.add(begun);
        }
        told = null;
        return 1;
    }

    /** All nodes with replicas have the same tables, among them each that the operator was told of. */
    void check() {
        List<ClusterMachine> holders = nodes.stream()
                .filter(node -> node.isUp() && !node.replicas().isEmpty())
                .toList();
        for (int number = 1; number <= begun; number++) {
            String table = table(number);
            boolean isThere = holders.getFirst().engine().catalog().table(table).isPresent();
            for (ClusterMachine node : holders) {
                assertThat(node.engine().catalog().table(table).isPresent())
                        .as("%s at %s", table, node)
                        .isEqualTo(isThere);
                assertThat(node.engine().procedures().containsKey("Of_" + table))
                        .as("the procedure of %s at %s", table, node)
                        .isEqualTo(isThere);
            }
            assertThat(isThere || !made.contains(number))
                    .as(table + " was made")
                    .isTrue();
        }
    }

    @Override
    public String toString() {
        return roleName() + " began " + begun + " of " + changes + " changes, of which " + made + " were made";
    }
}
