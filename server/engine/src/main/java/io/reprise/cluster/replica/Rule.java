package io.reprise.cluster.replica;

/**
 * The rules of the protocol that keep acknowledged writes and reads safe. Production keeps all; a simulation breaks one
 * and has to notice.
 */
public enum Rule {
    /** P2: a follower refuses lower epochs from the moment it reports. */
    REFUSE_LOWER_EPOCHS,
    /** P3: a new leader waits for the report of each in-sync member. */
    COLLECT_ALL,
    /** P3: a new leader takes the longest log. */
    COLLECT_LONGEST,
    /** P4: a batch that begins beyond the log is refused. */
    NO_GAPS,
    /** P5: a leader waits for each in-sync member until a map says otherwise. */
    WAIT_FOR_ALL,
    /** P6: a replica that is alone tells only what it has forced. */
    ALONE_FORCES,
    /** P8: a read is confirmed by each in-sync member after it ran. */
    CONFIRM_READS,
    /** P9: a leader that will be alone is careful before it removes the last follower. */
    CAREFUL_BEFORE_REMOVAL,
    /** P10: a follower that will be alone is careful before it replaces the leader. */
    CAREFUL_BEFORE_REPLACING,
    /** P11: only a log with the start of the map's incarnation may reopen. */
    REOPEN_BY_START,
    /** P12: a log that is no prefix of the leader's is loaded anew. */
    JOIN_BY_PREFIX,
    /** P12: a replica between the begin and the end of an image may neither lead nor reopen. */
    IMAGE_COMPLETE,
    /** P13: a joiner counts for writes before the map has it. */
    ADDING_COUNTS_FOR_WRITES,
    /** P13: a joiner counts for reads before the map has it. */
    ADDING_COUNTS_FOR_READS,
    /** P13: a joiner counts until a later map is known. */
    ADDING_UNTIL_KNOWN
}
