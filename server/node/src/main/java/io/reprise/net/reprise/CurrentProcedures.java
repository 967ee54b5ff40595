package io.reprise.net.reprise;

import io.reprise.execution.Work;
import java.util.Arrays;

/** The current version of each procedure by its handle, cached for one site. Owned by the site's thread. */
final class CurrentProcedures {
    private final ProcedureHandles handles;
    private Work[] works = new Work[16];

    CurrentProcedures(ProcedureHandles handles) {
        this.handles = handles;
    }

    /** The current version, or null if there is none. */
    Work of(int handle) {
        if (handle < works.length) {
            Work known = works[handle];
            if (known != null && !known.retired()) {
                return known;
            }
        }
        Work found = handles.work(handle);
        if (found != null) {
            if (handle >= works.length) {
                works = Arrays.copyOf(works, 2 * handle);
            }
            works[handle] = found;
        }
        return found;
    }

    /** The name of a procedure that existed, or null. */
    String name(int handle) {
        return handles.name(handle);
    }
}
