package io.reprise.cluster.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** The content of a znode that a person may read: lines of {@code key=value}. Unknown keys are kept and ignored. */
final class Lines {
    private Lines() {}

    static SortedMap<String, String> read(byte[] content) {
        SortedMap<String, String> lines = new TreeMap<>();
        new String(content, StandardCharsets.UTF_8).lines().forEach(line -> {
            int at = line.indexOf('=');
            if (at > 0) {
                lines.put(line.substring(0, at), line.substring(at + 1));
            }
        });
        return lines;
    }
}
