package io.reprise.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

/** The start of one node of a cluster on this machine, in a process of its own. */
final class NodeStart implements Runnable {
    private final int node;
    private final DetachedStart start;
    private final List<String> arguments;
    private final StringWriter said = new StringWriter();
    private final Thread thread;
    private int code = StartCommand.FAILED;

    NodeStart(ClusterFolder cluster, int node, Path data) {
        this.node = node;
        arguments = List.of("--config=" + cluster.configurationOf(node));
        start = new DetachedStart(
                data, cluster.logOf(node), new PrintWriter(new StringWriter()), new PrintWriter(said, true));
        thread = Thread.ofPlatform().name("reprise-start-" + node).unstarted(this);
    }

    /** Begins the start on a thread of its own. */
    void begin() {
        thread.start();
    }

    /** Whether the node has ended before it was ready. */
    boolean hasFailed() {
        return !thread.isAlive() && thread.getState() == Thread.State.TERMINATED && code != 0;
    }

    /** Waits until the node is ready or has failed. Returns the exit code; a failure is explained. */
    int await(PrintWriter err) throws InterruptedException {
        thread.join();
        if (code != 0) {
            err.println("reprise: node " + node + " is not ready:");
            err.println(said.toString().stripTrailing());
        }
        return code;
    }

    @Override
    public void run() {
        try {
            code = start.run(arguments);
        } catch (IOException | RuntimeException e) {
            said.write("reprise: node " + node + ": " + e.getMessage() + System.lineSeparator());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
