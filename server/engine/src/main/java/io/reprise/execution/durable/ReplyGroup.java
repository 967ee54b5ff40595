package io.reprise.execution.durable;

import io.reprise.execution.CallTimes;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.ReplyTarget;

/**
 * One transaction in a {@link ReplyQueue}, or several in a row that ran in one partition with the same times and whose outcomes
 * one target holds. Reused; owned by the site's thread.
 */
final class ReplyGroup {
    final CallTimes times = new CallTimes();

    /** The partition that ran the transactions. */
    Partition partition;

    /** When the executor's group of transactions ended. */
    long groupEndedNs;

    /** The number of transactions in the queue. */
    int count;

    /** The execution, unless a target holds the outcome. */
    Execution execution;

    /** The target that holds the outcomes, or null. */
    ReplyTarget holder;

    /** Of a replicated partition: the leadership in which the transaction ran; otherwise 0. */
    long term;

    /** Of a replicated partition: the token that has to be confirmed. */
    long token;

    /** Of a replicated partition: whether the transaction left a record. */
    boolean wrote;

    /** Begins with one transaction: a target holds its outcome, or its execution does. */
    void begin(Partition at, ReplyTarget heldBy, Execution ended) {
        count = 1;
        term = 0;
        if (partition != at) {
            partition = at;
        }
        if (holder != heldBy) {
            holder = heldBy;
        }
        if (execution != ended) {
            execution = ended;
        }
    }

    /** Whether the transaction may join the group, if its target holds it. */
    boolean mayTake(Partition at, Execution ended) {
        return holder != null && partition == at && holder == ended.replyTo() && ended.participantCount() == 1;
    }
}
