package io.reprise.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The levels of the cluster that a program speaks. A level names the messages between nodes, the records in streams, and the map. A link
 * uses the highest level that both of its ends speak, and streams and map use the level of the cluster, which the map holds.
 *
 * <p>A program with messages, records or fields that earlier ones can't read gets a new greatest level, and writes them only where the
 * link's or the map's level allows it.
 *
 * @param least the lowest level
 * @param greatest the highest level
 */
public record Levels(int least, int greatest) {
    private static final int LEAST = 1;
    private static final int GREATEST = 1;
    private static final int MOST = 1 << 16;

    /** The levels of this program. */
    public static final Levels OWN = new Levels(LEAST, GREATEST);

    public Levels {
        if (!areLevels(least, greatest)) {
            throw new IllegalArgumentException("levels go from 1 upwards, not from " + least + " to " + greatest);
        }
    }

    /** Levels as a peer has sent them; empty if there are none such. */
    public static Optional<Levels> of(int least, int greatest) {
        return areLevels(least, greatest) ? Optional.of(new Levels(least, greatest)) : Optional.empty();
    }

    private static boolean areLevels(int least, int greatest) {
        return least >= 1 && greatest >= least && greatest < MOST;
    }

    /** Whether a level is among these. */
    public boolean has(int level) {
        return level >= least && level <= greatest;
    }

    /** The levels that another program speaks too; empty if there are none. */
    public Optional<Levels> common(Levels other) {
        return of(Math.max(least, other.least), Math.min(greatest, other.greatest));
    }

    /**
     * The levels that all nodes speak too; empty if there are none.
     *
     * @param spoken the levels of each node
     * @param problem gets the facts about the first node that speaks no level of those before it
     */
    public Optional<Levels> common(SortedMap<Integer, Levels> spoken, Consumer<String> problem) {
        Levels common = this;
        for (Map.Entry<Integer, Levels> each : spoken.entrySet()) {
            Optional<Levels> next = common.common(each.getValue());
            if (next.isEmpty()) {
                problem.accept("node " + each.getKey() + " speaks " + each.getValue()
                        + " of clusters, and other nodes speak " + common);
                return next;
            }
            common = next.get();
        }
        return Optional.of(common);
    }

    /** The reason why a program with these levels can't serve in a cluster at a level, with the remedy; empty if it can. */
    public Optional<String> problem(int level) {
        if (has(level)) {
            return Optional.empty();
        }
        String facts = "the cluster works at level " + level + ", and this version of Reprise speaks " + this;
        return Optional.of(
                level > greatest
                        ? facts + "; start the node with the version that the other nodes run"
                        : facts + "; bring all nodes to a version that speaks levels " + level + " to " + least
                                + " first, and run \"reprise cluster upgrade\"");
    }

    @Override
    public String toString() {
        return least == greatest ? "level " + least : "levels " + least + " to " + greatest;
    }
}
