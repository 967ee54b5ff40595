package io.reprise.session;

import io.reprise.access.Right;
import io.reprise.access.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * The sessions as one query of a user sees and reaches them: those of the user, and with the right to administer all. Of others it lists
 * no statement. A query may ask for the same session twice, because a planner computes constants by itself; the request is made once.
 *
 * <p>Owned by the thread that runs the query.
 */
final class VisibleBackends implements Backends {
    private static final String HIDDEN = "<insufficient privilege>";

    private final Backends all;
    private final String user;
    private final boolean administers;
    private final Runnable asked;
    private final SortedSet<Long> canceled = new TreeSet<>();
    private final SortedSet<Long> ended = new TreeSet<>();

    /**
     * The sessions as a user sees them.
     *
     * @param asked is told each request to cancel or end a session, before it is allowed or denied
     */
    VisibleBackends(Backends all, Rights rights, String user, Runnable asked) {
        this.asked = asked;
        this.all = all;
        this.user = user;
        administers = rights.has(Right.ADMINISTER);
    }

    @Override
    public List<Backend> list() {
        List<Backend> visible = new ArrayList<>();
        for (Backend each : all.list()) {
            visible.add(
                    reaches(each)
                            ? each
                            : new Backend(
                                    each.pid(),
                                    each.user(),
                                    each.address(),
                                    each.port(),
                                    each.begin(),
                                    each.state(),
                                    HIDDEN));
        }
        return visible;
    }

    private boolean reaches(Backend backend) {
        return administers || !backend.user().isEmpty() && backend.user().equals(user);
    }

    @Override
    public boolean cancel(long pid) {
        return once(canceled, pid, all::cancel);
    }

    @Override
    public boolean end(long pid) {
        return once(ended, pid, all::end);
    }

    private boolean once(SortedSet<Long> done, long pid, LongPredicate request) {
        if (done.contains(pid)) {
            return true;
        }
        asked.run();
        for (Backend each : all.list()) {
            if (each.pid() == pid && !reaches(each)) {
                throw new SessionException(
                        "42501",
                        "permission denied to cancel or end session " + pid,
                        "It takes the session's own user, or one who may administer.",
                        0);
            }
        }
        boolean reached = request.test(pid);
        if (reached) {
            done.add(pid);
        }
        return reached;
    }
}
