package io.reprise.net.reprise;

import io.reprise.execution.Work;
import io.reprise.net.session.Backend;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The handles of procedures: numbers that calls carry instead of names. A name keeps its handle as long as the server runs, through
 * all versions of the procedure. Any thread; sites ask once for each version.
 */
final class ProcedureHandles {
    private static final int MOST = 1 << 16;

    private final Backend backend;
    private final Map<String, Integer> handles = new HashMap<>();
    private String[] names = new String[16];

    ProcedureHandles(Backend backend) {
        this.backend = backend;
    }

    /** The handle of an existing procedure; 0 if none is left. */
    synchronized int handle(String name) {
        String key = name.toUpperCase(Locale.ROOT);
        Integer known = handles.get(key);
        if (known != null) {
            return known;
        }
        int handle = handles.size() + 1;
        if (handle == MOST) {
            return 0;
        }
        handles.put(key, handle);
        if (handle >= names.length) {
            names = java.util.Arrays.copyOf(names, 2 * handle);
        }
        names[handle] = name;
        return handle;
    }

    /** The current version of a procedure, or null. */
    Work work(int handle) {
        String name = name(handle);
        return name == null ? null : backend.procedure(name);
    }

    /** The name of a handle, or null. */
    synchronized String name(int handle) {
        return handle > 0 && handle < names.length ? names[handle] : null;
    }
}
