package io.reprise.simulation;

import io.reprise.runtime.Randomness;

/**
 * Chooses the next agent and its duration. Uniform choice alone finds few races, because everybody gets on at about
 * the same speed. So the run is cut into phases, each with a bias of its own: one agent starved, one favoured, strict
 * turns, a fast machine or a slow one. Phases end, so that a waiting agent gets on at last.
 */
final class Schedule {
    private static final int LONGEST_PHASE = 300;
    private static final long[] CYCLE_NS = {200, 2_000, 50_000, 1_000_000};

    private final Randomness random;
    private Bias bias = Bias.FAIR;
    private long chosen;
    private long cycleNs = CYCLE_NS[0];
    private int stepsLeft;
    private int turn;

    private enum Bias {
        FAIR,
        TURNS,
        STARVE,
        FAVOUR
    }

    Schedule(Randomness random) {
        this.random = random;
    }

    /** One of so many candidates. */
    int next(int candidates) {
        if (stepsLeft-- == 0) {
            beginPhase();
        }
        int fair = random.nextInt(candidates);
        int subject = (int) (chosen % candidates);
        return switch (bias) {
            case FAIR -> fair;
            case TURNS -> turn++ % candidates;
            case STARVE -> fair == subject ? (fair + 1) % candidates : fair;
            case FAVOUR -> random.chance(0.9) ? subject : fair;
        };
    }

    /** The duration of the chosen agent's duty cycle. */
    long cycleNs() {
        return 1 + random.nextLong(cycleNs);
    }

    private void beginPhase() {
        bias = Bias.values()[random.nextInt(Bias.values().length)];
        chosen = random.nextInt(Integer.MAX_VALUE);
        cycleNs = CYCLE_NS[random.nextInt(CYCLE_NS.length)];
        stepsLeft = random.nextInt(LONGEST_PHASE);
        turn = 0;
    }
}
