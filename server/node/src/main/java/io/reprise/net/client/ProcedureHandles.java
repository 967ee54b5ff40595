package io.reprise.net.client;

import io.reprise.execution.Work;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Numbers for the names of procedures, so that calls need not carry names. A name keeps its number as long as the server
 * runs, whatever version of the procedure it names. Any thread; sites ask only once for each version.
 */
final class ProcedureHandles {
    private static final int MOST = 1 << 16;

    private final Backend backend;
    private final Map<String, Integer> handles = new HashMap<>();
    private String[] names = new String[16];

    ProcedureHandles(Backend backend) {
        this.backend = backend;
    }

    /** The number of a procedure that exists, 0 if there is no number left. */
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

    /** What the procedure of this number is now; null if there is none. */
    Work work(int handle) {
        String name = name(handle);
        return name == null ? null : backend.procedure(name);
    }

    /** The name that a number stands for, or null. */
    synchronized String name(int handle) {
        return handle > 0 && handle < names.length ? names[handle] : null;
    }
}
