package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the clients that are connected to a node, cancels a statement, or ends a session. */
@Command(
        name = "sessions",
        mixinStandardHelpOptions = true,
        description =
                "Lists the clients that are connected to the node at work in a data directory, with their states and"
                        + " statements. It can also cancel the statement of a session, or end a session.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the sessions are listed, or the request has reached the session",
            "3:the node could not be asked, or has no such session",
            "4:there is no node at work there"
        },
        footer = {"", "Examples:", "  reprise sessions", "  reprise sessions --cancel postgres-3"})
final class SessionsCommand implements Callable<Integer> {
    private static final int FAILED = 3;
    private static final int OK = 200;
    private static final int MOST_TEXT = 60;

    @Mixin
    private NodeChoice choice;

    @ArgGroup
    private Change change;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** A change of one session. */
    static final class Change {
        @Option(
                names = "--cancel",
                paramLabel = "SESSION",
                description = "Cancel the statement of a session of the PostgreSQL port.")
        private String cancel;

        @Option(names = "--end", paramLabel = "SESSION", description = "End a session. A call that has begun runs on.")
        private String end;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (NodeClient node = new NodeClient(choice.node())) {
            HttpResponse<String> answer = change == null
                    ? node.get("/sessions", "application/json")
                    : change.cancel == null
                            ? node.post("/sessions/end", change.end)
                            : node.post("/sessions/cancel", change.cancel);
            if (answer.statusCode() != OK) {
                spec.commandLine().getErr().println("reprise: " + NodeClient.refusal(answer));
                return FAILED;
            }
            PrintWriter out = spec.commandLine().getOut();
            if (change != null || json) {
                out.println(answer.body().strip());
            } else {
                table(new ObjectMapper().readTree(answer.body()).path("sessions"), out);
            }
            return 0;
        }
    }

    /** Prints one line for each session. */
    static void table(JsonNode sessions, PrintWriter out) {
        out.printf(
                "%-14s %-12s %-22s %-24s %-10s %s%n", "SESSION", "USER", "ADDRESS", "STATE", "CONNECTED", "STATEMENT");
        for (JsonNode session : sessions) {
            String statement =
                    session.path("statement").asText().replaceAll("\\s+", " ").strip();
            out.printf(
                    "%-14s %-12s %-22s %-24s %-10s %s%n",
                    session.path("id").asText(),
                    session.path("user").asText().isEmpty()
                            ? "-"
                            : session.path("user").asText(),
                    session.path("address").asText(),
                    session.path("state").asText().replace('_', ' '),
                    TopView.duration(session.path("connectedSeconds").asDouble()),
                    statement.length() > MOST_TEXT ? statement.substring(0, MOST_TEXT) + "..." : statement);
        }
    }
}
