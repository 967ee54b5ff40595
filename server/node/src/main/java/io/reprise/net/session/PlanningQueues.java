package io.reprise.net.session;

import java.util.concurrent.Executor;

/** The queues of statements to plan: one of short texts and one of long ones. In each of them clients take turns. Any thread. */
public final class PlanningQueues {
    /** Characters of a statement that is planned among short ones. */
    public static final int SHORT_TEXT = 4096;

    private final FairTasks shortTexts;
    private final FairTasks longTexts;

    /** Queues for these threads; in each of them at most so many wait. */
    public PlanningQueues(Executor ofShortTexts, Executor ofLongTexts, int most) {
        shortTexts = new FairTasks(ofShortTexts, most);
        longTexts = new FairTasks(ofLongTexts, most);
    }

    /** Adds a task that plans a statement; false if too many wait, or too many of this client. */
    public boolean submit(Object client, String sql, Runnable task) {
        return (sql.length() <= SHORT_TEXT ? shortTexts : longTexts).submit(client, task);
    }
}
