package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.NonBlockingReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the present work of a node in the terminal, renewed until the user presses q. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description =
                "Shows what the node at work in a data directory does: procedures, partitions, log and sessions, the"
                        + " busiest first. The view is renewed until you press q.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:you pressed q, or --once was given",
            "3:the node could not be asked",
            "4:there is no node at work there"
        },
        footer = {"", "Examples:", "  reprise top", "  reprise top --once"})
final class TopCommand implements Callable<Integer> {
    private static final int FAILED = 3;
    private static final int OK = 200;
    private static final int ROWS = 40;
    private static final int COLUMNS = 120;
    private static final int SECOND_MS = 1000;
    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

    @Mixin
    private NodeChoice choice;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Seconds between two looks. Default: ${DEFAULT-VALUE}.")
    private int intervalSeconds;

    @Option(names = "--once", description = "Print the view once, for scripts.")
    private boolean once;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (intervalSeconds < 1 || intervalSeconds > SECOND_MS) {
            throw new IllegalArgumentException("--interval takes 1 to " + SECOND_MS + " seconds");
        }
        try (NodeClient node = new NodeClient(choice.node())) {
            return once ? print(node) : watch(node);
        }
    }

    private int print(NodeClient node) throws IOException, InterruptedException {
        Optional<TopView> view = look(node);
        PrintWriter out = spec.commandLine().getOut();
        view.ifPresent(shown -> shown.lines(ROWS, COLUMNS).forEach(out::println));
        return view.isPresent() ? 0 : FAILED;
    }

    private int watch(NodeClient node) throws IOException, InterruptedException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            terminal.enterRawMode();
            NonBlockingReader keys = terminal.reader();
            while (true) {
                Optional<TopView> view = look(node);
                if (view.isEmpty()) {
                    return FAILED;
                }
                Size size = terminal.getSize();
                int rows = size.getRows() > 0 ? size.getRows() : ROWS;
                int columns = size.getColumns() > 0 ? size.getColumns() : COLUMNS;
                List<String> lines = view.get().lines(rows - 1, columns);
                terminal.writer().print(HOME_AND_CLEAR + String.join("\r\n", lines));
                terminal.flush();
                int key = keys.read((long) intervalSeconds * SECOND_MS);
                if (key == 'q' || key == 'Q' || key == NonBlockingReader.EOF || key == 3) {
                    terminal.writer().print("\r\n");
                    return 0;
                }
            }
        }
    }

    /** The view of now; empty if the node refuses, which the user has been told. */
    private Optional<TopView> look(NodeClient node) throws IOException, InterruptedException {
        HttpResponse<String> status = node.get("/status", "application/json");
        HttpResponse<String> sessions = node.get("/sessions", "application/json");
        for (HttpResponse<String> answer : List.of(status, sessions)) {
            if (answer.statusCode() != OK) {
                spec.commandLine().getErr().println("reprise: " + NodeClient.refusal(answer));
                return Optional.empty();
            }
        }
        JsonNode connected = new ObjectMapper().readTree(sessions.body()).path("sessions");
        return Optional.of(new TopView(new ObjectMapper().readTree(status.body()), connected));
    }
}
