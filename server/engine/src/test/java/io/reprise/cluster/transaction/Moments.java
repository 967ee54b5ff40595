package io.reprise.cluster.transaction;

import java.util.List;

/** Finds transactions in the middle of a step, so that faults can aim there. */
final class Moments {
    /** A moment of a transaction. */
    enum Kind {
        /** A participant that is not the home holds a part and has not voted. */
        PART_WRITTEN,
        /** It has voted and knows no decision. */
        VOTED,
        /** The home has run its part and nothing is decided. */
        HOME_RUNS,
        /** The home has decided, and not all is stable. */
        DECIDED,
        /** A read has run at some participants. */
        READING,
        /** A reservation waits for its turn. */
        RESERVED
    }

    private static final int[] NONE = {};

    private final List<TransactionNode> nodes;
    private final int partitions;

    Moments(List<TransactionNode> nodes, int partitions) {
        this.nodes = nodes;
        this.partitions = partitions;
    }

    /** The participants of a transaction that is in this moment; empty if there is none. */
    int[] find(Kind kind) {
        for (TransactionNode node : nodes) {
            for (int partition = 0; partition < partitions; partition++) {
                if (node.leads(partition) && node.transactions(partition).isServing()) {
                    int[] found = find(kind, node.transactions(partition).leading());
                    if (found.length > 1) {
                        return found;
                    }
                }
            }
        }
        return NONE;
    }

    private static int[] find(Kind kind, Leading leading) {
        switch (kind) {
            case DECIDED -> {
                for (Coordinated each : leading.coordinator.all()) {
                    if (each.phase == Coordinated.Phase.COMMITTED) {
                        return each.participants;
                    }
                }
            }
            case READING -> {
                for (Held each : leading.telling.open()) {
                    return each.participants;
                }
            }
            default -> {
                for (Held each : leading.executor.all()) {
                    if (isAt(kind, each, each.name.home() == leading.partition)) {
                        return each.participants;
                    }
                }
            }
        }
        return NONE;
    }

    private static boolean isAt(Kind kind, Held held, boolean isHome) {
        return switch (kind) {
            case PART_WRITTEN -> !isHome && held.partIndex > 0 && !held.voted;
            case VOTED -> !isHome && held.voted;
            case HOME_RUNS -> isHome && held.partIndex > 0;
            default -> held.partIndex == 0 && held.round < 0;
        };
    }
}
