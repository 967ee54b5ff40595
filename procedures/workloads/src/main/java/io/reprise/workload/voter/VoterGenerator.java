package io.reprise.workload.voter;

import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;

/** Draws phone calls: any phone of any area, favourites among the contestants, one in a hundred misdials. */
final class VoterGenerator implements Generator {
    private static final int NOBODY = 999;

    private final VoterOptions options;
    private final RandomValues random;
    private final int[] areas;
    private long accepted;

    VoterGenerator(VoterOptions options, long seed, Placement placement, int partition) {
        this.options = options;
        this.random = new RandomValues(seed);
        int[] found = AreaCodes.codes();
        int count = 0;
        for (int code : found) {
            if (partition < 0 || placement.partitionOf(code) == partition) {
                found[count++] = code;
            }
        }
        if (count == 0) {
            throw new IllegalArgumentException("Voter: no area code lives in partition " + partition);
        }
        areas = java.util.Arrays.copyOf(found, count);
    }

    @Override
    public int next(Call call) {
        int area = areas[random.uniform(0, areas.length - 1)];
        long phone = area * Voter.PHONES_PER_AREA + random.below(Voter.PHONES_PER_AREA);
        int contestant = random.uniform(1, 100) == 1 ? NOBODY : favourite();
        call.procedure(Voter.VOTE).add(area).add(phone).add(contestant).add(options.maxVotesPerPhone());
        return Voter.VOTE;
    }

    /** The smaller of two draws: the lower a contestant's number, the more votes. */
    private int favourite() {
        return Math.min(random.uniform(1, options.contestants()), random.uniform(1, options.contestants()));
    }

    @Override
    public void completed(int procedure, boolean committed, long value) {
        if (committed && value == Vote.ACCEPTED) {
            accepted++;
        }
    }

    long accepted() {
        return accepted;
    }
}
