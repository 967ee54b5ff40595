package io.reprise.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import org.slf4j.LoggerFactory;

/** Standard output and standard error of a process that is a node: see {@link NodeOutput}. */
final class NodeStreams {
    private static final long PATIENCE_MS = 2_000;

    private final NodeOutput out;
    private final NodeOutput err;

    private NodeStreams(NodeOutput out, NodeOutput err) {
        this.out = out;
        this.err = err;
    }

    /** Replaces the streams of this process. It has to be called before logging is set up, which may keep a stream. */
    static NodeStreams instead() {
        NodeOutput out = NodeOutput.open("output", new FileOutputStream(FileDescriptor.out), NodeStreams::tell);
        // Dropped lines are counted in the other stream, which mostly drops as many.
        NodeOutput err = NodeOutput.open("errors", new FileOutputStream(FileDescriptor.err), lines -> {});
        System.setOut(out.stream(System.out));
        System.setErr(err.stream(System.err));
        return new NodeStreams(out, err);
    }

    /** In the form that the log has. */
    private static void tell(long lines) {
        LoggerFactory.getLogger("io.reprise.node")
                .warn(
                        "{} lines of this log are left out here, because their reader was slower than their writer.",
                        lines);
    }

    /** Writes what is left at the end of the process. Gives up if the output has no reader. */
    void awaitWritten() {
        try {
            out.awaitWritten(PATIENCE_MS);
            err.awaitWritten(PATIENCE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
