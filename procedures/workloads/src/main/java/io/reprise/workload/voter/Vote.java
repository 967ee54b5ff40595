package io.reprise.workload.voter;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** One phone call. */
public final class Vote extends Procedure {
    /** The vote counts. */
    public static final long ACCEPTED = 0;

    /** No contestant has that number. */
    public static final long UNKNOWN_CONTESTANT = 1;

    /** The phone has voted often enough. */
    public static final long OVER_LIMIT = 2;

    /** The state of area codes that belong to none. */
    private static final Text NO_STATE = Text.of("XX");

    private final Statement contestant = sql("SELECT contestant_number FROM contestants WHERE contestant_number = ?");
    private final Statement votesOfPhone =
            sql("SELECT num_votes FROM votes_by_phone_number WHERE phone_number = ? AND area_code = ?");
    private final Statement stateOfArea = sql("SELECT state FROM area_code_state WHERE area_code = ?");
    private final Statement insertVote =
            sql("INSERT INTO votes (area_code, phone_number, state, contestant_number) VALUES (?, ?, ?, ?)");
    private final Statement insertPhone =
            sql("INSERT INTO votes_by_phone_number (area_code, phone_number, num_votes) VALUES (?, ?, 1)");
    private final Statement countPhone =
            sql("UPDATE votes_by_phone_number SET num_votes = num_votes + 1 WHERE phone_number = ? AND area_code = ?");
    private final Statement insertTotal = sql("INSERT INTO votes_by_contestant_state"
            + " (area_code, contestant_number, state, num_votes) VALUES (?, ?, ?, 1)");
    private final Statement countTotal = sql("UPDATE votes_by_contestant_state SET num_votes = num_votes + 1"
            + " WHERE area_code = ? AND contestant_number = ?");

    /**
     * Votes.
     *
     * @param areaCode the first three of the phone number's ten digits
     * @return one of the constants
     */
    public long run(short areaCode, long phoneNumber, int contestantNumber, int maxVotesPerPhone) {
        if (phoneNumber / Voter.PHONES_PER_AREA != areaCode) {
            throw abort("the area code is not that of the phone number");
        }
        if (!contestant.set(0, contestantNumber).first()) {
            return UNKNOWN_CONTESTANT;
        }
        boolean votedBefore = votesOfPhone.set(0, phoneNumber).set(1, areaCode).first();
        if (votedBefore && votesOfPhone.rows().longAt(0) >= maxVotesPerPhone) {
            return OVER_LIMIT;
        }
        Rows area = stateOfArea.set(0, areaCode).query();
        Text state = area.next() ? area.textAt(0) : NO_STATE;
        insertVote
                .set(0, areaCode)
                .set(1, phoneNumber)
                .set(2, state)
                .set(3, contestantNumber)
                .update();
        if (votedBefore) {
            countPhone.set(0, phoneNumber).set(1, areaCode).update();
        } else {
            insertPhone.set(0, areaCode).set(1, phoneNumber).update();
        }
        if (countTotal.set(0, areaCode).set(1, contestantNumber).update() == 0) {
            insertTotal.set(0, areaCode).set(1, contestantNumber).set(2, state).update();
        }
        return ACCEPTED;
    }
}
