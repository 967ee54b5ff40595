package io.reprise.execution.durable;

import io.reprise.execution.CallTimes;
import io.reprise.execution.Invocation;
import io.reprise.execution.ReplyTarget;

/** A transaction that has ended and waits for the log. Reused; owned by the site's thread. */
final class WaitingReply {
    final CallTimes times = new CallTimes();

    /** What has to be durable in the site's own log. */
    long position;

    /** When the group of transactions ended that it was in. */
    long groupEndedNs;

    /** The invocation, unless somebody holds what came of it. */
    Invocation invocation;

    /** Who holds what came of it; null if nobody does. */
    ReplyTarget holder;

    /** Takes an ended transaction. What has several participants waits for several logs, which its invocation knows. */
    void take(Invocation ended, long untilDurable) {
        position = untilDurable;
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

    /** Tells whoever wants to know. */
    void reply() {
        if (invocation == null) {
            holder.firstHeldIsDurable();
        } else {
            Invocation ended = invocation;
            invocation = null;
            ended.reply();
        }
    }
}
