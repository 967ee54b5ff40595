package io.reprise.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;

/**
 * A terminal with its line discipline (so that Ctrl-C is a signal) whose keys a test presses and whose screen it reads. Each wait
 * ends after a while, with what was on the screen: a test of it fails and does not hang.
 */
final class TypedTerminal {
    static final String CTRL_C = "\3";
    static final String CTRL_D = "\4";
    static final String TAB = "\t";

    /** As terminals send it in the mode that a reader of lines puts them into. */
    static final String UP = "\33OA";

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int PIPE_BYTES = 1 << 16;

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final PipedOutputStream keys;
    private final ExternalTerminal terminal;
    private int seen;

    TypedTerminal() throws IOException {
        PipedInputStream pressed = new PipedInputStream(PIPE_BYTES);
        keys = new PipedOutputStream(pressed);
        terminal = new ExternalTerminal("test", "xterm", pressed, screen, StandardCharsets.UTF_8);
        terminal.setSize(Size.of(120, 40));
    }

    Terminal terminal() {
        return terminal;
    }

    /** Presses keys. A pipe's reader looks once a second unless it is told that there is something. */
    void type(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    /** Waits until this is on the screen, behind what was waited for before; returns what came before it. */
    String await(String text) {
        long beganNs = System.nanoTime();
        while (true) {
            String shown = plain(screen.toString(StandardCharsets.UTF_8));
            int at = shown.indexOf(text, seen);
            if (at >= 0) {
                String before = shown.substring(seen, at);
                seen = at + text.length();
                return before;
            }
            if (System.nanoTime() - beganNs > PATIENCE_NS) {
                throw new AssertionError("\"" + text + "\" did not appear behind: " + shown.substring(0, seen)
                        + "\n>>> but this:\n" + shown.substring(seen));
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Without colours and the like, which say nothing of what can be read. */
    private static String plain(String shown) {
        return shown.replaceAll("\33\\[[?>=]?[0-9;]*[A-Za-z]", "")
                .replaceAll("\33[=>]", "")
                .replace("\r", "");
    }

    void close() throws IOException {
        keys.close();
        terminal.close();
    }
}
