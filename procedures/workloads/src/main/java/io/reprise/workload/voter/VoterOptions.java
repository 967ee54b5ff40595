package io.reprise.workload.voter;

/**
 * Sizes.
 *
 * @param contestants number of contestants, 1 to 12
 * @param maxVotesPerPhone more votes from one phone number are refused
 */
public record VoterOptions(int contestants, int maxVotesPerPhone) {
    /** Six contestants, two votes from each phone. */
    public static final VoterOptions STANDARD = new VoterOptions(6, 2);

    /** Refuses what there are no names for. */
    public VoterOptions {
        if (contestants < 1 || contestants > Voter.MAX_CONTESTANTS || maxVotesPerPhone < 1) {
            throw new IllegalArgumentException("Voter: contestants must be between 1 and " + Voter.MAX_CONTESTANTS
                    + ", votes from one phone at least 1");
        }
    }
}
