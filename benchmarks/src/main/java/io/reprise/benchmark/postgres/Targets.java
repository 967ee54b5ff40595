package io.reprise.benchmark.postgres;

import io.reprise.benchmark.Context;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The servers of a run: a node, and a PostgreSQL if there is one on this machine. */
final class Targets implements AutoCloseable {
    private final NodeTarget node;
    private final Optional<PostgresTarget> postgres;

    private Targets(NodeTarget node, Optional<PostgresTarget> postgres) {
        this.node = node;
        this.postgres = postgres;
    }

    /** Starts both. */
    static Targets start(Context context, int partitions) throws IOException, InterruptedException {
        NodeTarget node = NodeTarget.start(context.scratch(), partitions);
        try {
            Optional<Path> programs = PostgresTarget.programs();
            if (programs.isEmpty()) {
                context.progress("There is no comparison with PostgreSQL: none is installed in /usr/lib/postgresql");
                return new Targets(node, Optional.empty());
            }
            return new Targets(
                    node,
                    Optional.of(PostgresTarget.start(
                            programs.get(), context.scratch().resolve("postgresql"))));
        } catch (IOException | InterruptedException | RuntimeException failure) {
            node.close();
            throw failure;
        }
    }

    NodeTarget node() {
        return node;
    }

    Optional<PostgresTarget> postgres() {
        return postgres;
    }

    @Override
    public void close() throws IOException {
        try (NodeTarget first = node) {
            if (postgres.isPresent()) {
                postgres.get().close();
            }
        }
    }
}
