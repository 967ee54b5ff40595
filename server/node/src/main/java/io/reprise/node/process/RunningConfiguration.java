package io.reprise.node.process;

import io.reprise.configuration.ConfigurationValues;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.Reprise;
import io.reprise.engine.RunningSettings;
import io.reprise.node.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The configuration that a node runs by. It takes over the keys of a changed file that can change while the node runs, and names the
 * others. Guarded by the node that owns it.
 */
final class RunningConfiguration {
    /** Keys that change at any time. */
    private static final List<String> CHANGEABLE =
            List.of("clients.connections", "logging.level", "snapshot.afterLog", "snapshot.every");

    /** Keys that change unless they were, or are to be, zero: then nothing watches. */
    private static final List<String> CHANGEABLE_UNLESS_ZERO = List.of("engine.slowAfter", "engine.timeLimit");

    private final NodeProgram program;
    private final boolean inCluster;

    /** The values that count at present. */
    private final SortedMap<String, Object> values;

    RunningConfiguration(NodeConfiguration started, NodeProgram program) {
        this.program = program;
        inCluster = started.cluster().isPresent();
        values = ConfigurationValues.of(started);
    }

    /** Reads the file and takes over its changes. Returns a line for each changed key. */
    String reload(Reprise engine, Optional<Server> server) {
        NodeConfiguration next = program.read()
                .orElseThrow(() -> new IllegalStateException(
                        "the node was started without a configuration file; start it with --config FILE"));
        SortedMap<String, Object> wanted = ConfigurationValues.of(next);
        SortedSet<String> keys = new TreeSet<>(values.keySet());
        keys.addAll(wanted.keySet());
        List<String> lines = new ArrayList<>();
        for (String key : keys) {
            if (Objects.equals(values.get(key), wanted.get(key))) {
                continue;
            }
            if (changes(key, values.get(key), wanted.get(key))) {
                values.put(key, wanted.get(key));
                lines.add(key + ": changed");
            } else {
                lines.add(key + ": takes a restart");
            }
        }
        apply(next, engine, server);
        return lines.isEmpty() ? "Nothing has changed." : String.join("\n", lines);
    }

    private boolean changes(String key, Object from, Object to) {
        if (CHANGEABLE.contains(key)) {
            return true;
        }
        // Other nodes of a cluster wait for the time limit that a node has started with.
        return CHANGEABLE_UNLESS_ZERO.contains(key)
                && !((Duration) from).isZero()
                && !((Duration) to).isZero()
                && !(inCluster && key.equals("engine.timeLimit"));
    }

    private void apply(NodeConfiguration next, Reprise engine, Optional<Server> server) {
        engine.change(new RunningSettings(
                (Duration) values.get("engine.timeLimit"),
                (Duration) values.get("engine.slowAfter"),
                next.snapshot().every(),
                next.snapshot().afterLog()));
        server.ifPresent(each -> each.mostConnections(next.clients().connections()));
        program.level(next.logging().level());
    }
}
