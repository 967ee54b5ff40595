package io.reprise.recovery.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The graph of the paper's example, and of random histories against a naive one. */
final class DependencyGraphTest {
    private static DependencyGraph graph(List<LoggedTransaction> history) {
        DependencyGraph graph = new DependencyGraph();
        history.forEach(graph::add);
        return graph;
    }

    private static List<String> texts(List<BitSet> sets) {
        return sets.stream().map(BitSet::toString).toList();
    }

    @Test
    void shouldLinkTheTransactionsOfFigure2() {
        DependencyGraph graph = graph(BackwardPassTest.figure2(false, false));

        List<BitSet> groups = graph.groups();

        assertThat(graph.before(1)).hasToString("{0}");
        assertThat(graph.before(3)).hasToString("{1}");
        assertThat(graph.before(6)).hasToString("{5}");
        // t1 with t2, t3, t4 and t5; t6 with t7
        assertThat(texts(groups)).containsExactly("{0, 1, 2, 3, 4}", "{5, 6}");
        assertThat(texts(graph.groupsOf(groups))).containsExactly("{0}", "{0}", "{0}", "{0}", "{0}", "{1}", "{1}");
        assertThat(graph.criticalPath()).isEqualTo(4);
    }

    @Test
    void shouldDrawTheGraph() {
        assertThat(graph(BackwardPassTest.figure2(true, false).subList(0, 2)).dot())
                .isEqualTo("""
                digraph log {
                  rankdir=LR;
                  t1 [label="1"];
                  t2 [label="2", shape=box];
                  t1 -> t2;
                }
                """);
    }

    @Test
    void shouldRefuseATransactionWithoutAFootprint() {
        DependencyGraph graph = new DependencyGraph();

        assertThatThrownBy(() -> graph.add(new LoggedTransaction(7, false, null)))
                .hasMessageContaining("transaction 7 has no footprint");
    }

    @Test
    void shouldReachWhatANaiveGraphReaches() {
        Seeds.forEach(100, seed -> {
            List<LoggedTransaction> history = BackwardPassTest.history(new SeededRandomness(seed));

            DependencyGraph graph = graph(history);

            assertThat(closed(graph)).isEqualTo(naive(history));
        });
    }

    /** By transaction, all that are before it. */
    private static List<BitSet> closed(DependencyGraph graph) {
        List<BitSet> all = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            BitSet before = graph.before(i);
            for (int each : before.stream().toArray()) {
                before.or(all.get(each));
            }
            all.add(before);
        }
        return all;
    }

    private static List<BitSet> naive(List<LoggedTransaction> history) {
        List<BitSet> all = new ArrayList<>();
        for (int later = 0; later < history.size(); later++) {
            BitSet before = new BitSet();
            for (int earlier = 0; earlier < later; earlier++) {
                if (meet(history.get(earlier), history.get(later))) {
                    before.set(earlier);
                    before.or(all.get(earlier));
                }
            }
            all.add(before);
        }
        return all;
    }

    private static boolean meet(LoggedTransaction a, LoggedTransaction b) {
        for (int i = 0; i < a.size(); i++) {
            for (int j = 0; j < b.size(); j++) {
                long readByA = a.isData() ? 0 : a.read(i);
                long readByB = b.isData() ? 0 : b.read(j);
                long shared = a.written(i) & (readByB | b.written(j)) | readByA & b.written(j);
                if (a.row(i) == b.row(j) && shared != 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
