package io.reprise.node;

import io.reprise.catalog.Catalog;
import io.reprise.execution.Work;
import java.util.Map;
import java.util.TreeMap;

/**
 * The catalog and the works of its procedures, at one moment. Immutable; replaced as a whole.
 *
 * @param catalog what is declared
 * @param works by procedure name, whatever the case of its letters
 */
record Schema(Catalog catalog, Map<String, Work> works) {
    static Schema empty() {
        return new Schema(Catalog.empty(), new TreeMap<>(String.CASE_INSENSITIVE_ORDER));
    }
}
