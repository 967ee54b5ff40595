package io.reprise.runtime.memory;

import java.util.function.BooleanSupplier;

/**
 * The two sources of ready pages for growing tables. Both may be missing: then pages are made at their first touch.
 *
 * @param reserved huge pages that the operator has set aside; null: none are used
 * @param ahead has the system make other pages; null: none are made ahead
 */
public record PageSources(ReservedPages reserved, PageAhead ahead) {
    /** Neither. */
    public static final PageSources NONE = new PageSources(null, null);

    /** Puts a reserved page where nothing has been touched yet. Returns whether there is one. */
    boolean put(Memory memory, long address, boolean atOnce) {
        return reserved != null && memory.putReservedPage(address, reserved, atOnce);
    }

    /** Asks for a range to be touched. Returns whether that is noted. */
    boolean wish(Memory memory, long from, long to, BooleanSupplier wanted) {
        return ahead != null && ahead.wish(memory, from, to, wanted);
    }
}
