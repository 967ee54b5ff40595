package io.reprise.execution.durable;

import io.reprise.execution.CallTimes;
import io.reprise.execution.Invocation;
import io.reprise.execution.ReplyTarget;
import io.reprise.log.PartitionLog;

/**
 * A transaction that has ended and waits for the log, or several in a row whose times are the same and whose outcomes one target
 * holds. Reused; owned by the site's thread.
 */
final class WaitingReply {
    final CallTimes times = new CallTimes();

    /** When the group of transactions ended that it was in. */
    long groupEndedNs;

    /** How many transactions it is by now. */
    int count;

    /** The log of the partition that ran it. */
    PartitionLog log;

    /** The invocation, unless somebody holds what came of it. */
    Invocation invocation;

    /** Who holds what came of it; null if nobody does. */
    ReplyTarget holder;

    /** Takes an ended transaction. What has several participants waits for several logs, which its invocation knows. */
    void take(Invocation ended, PartitionLog ofPartition) {
        if (log != ofPartition) {
            log = ofPartition;
        }
        count = 1;
        ReplyTarget target = ended.replyTo();
        if (ended.participantCount() == 1 && target.hold(ended)) {
            if (holder != target) {
                holder = target;
            }
        } else {
            invocation = ended;
            holder = null;
        }
    }

    /** Takes another one with the same times, if the same target holds what came of it. Returns whether it has. */
    boolean takeAnother(Invocation ended) {
        if (holder == null || holder != ended.replyTo() || ended.participantCount() > 1 || !holder.hold(ended)) {
            return false;
        }
        count++;
        return true;
    }

    /** Tells whoever wants to know of the first so many, which wait no longer. */
    void reply(int first) {
        count -= first;
        if (invocation == null) {
            holder.firstHeldAreDurable(first);
        } else {
            Invocation ended = invocation;
            invocation = null;
            ended.reply();
        }
    }
}
