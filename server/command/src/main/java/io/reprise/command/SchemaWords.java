package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The schema as a shell knows it: names for completion, and what {@code \tables} and {@code \describe} print. It is asked of the
 * node's HTTP server; of a node elsewhere nothing is known, and nothing is completed but SQL's own words.
 */
final class SchemaWords {
    private static final int OK = 200;

    private static final String ELSEWHERE =
            "the schema is told only by a node of this machine: name its data directory by -d, not --server";

    private final ServerChoice server;
    private final TreeMap<String, JsonNode> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeMap<String, JsonNode> procedures = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private Optional<String> untold = Optional.of(ELSEWHERE);

    SchemaWords(ServerChoice server) {
        this.server = server;
        read();
    }

    /** Asks again; without an answer all stays as it was, because completion is not worth an error. */
    void read() {
        try {
            if (server.localIfAny().filter(node -> !node.http().isEmpty()).isPresent()) {
                ask();
            }
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            // The next statement says that the node is gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask() throws IOException, InterruptedException {
        try (NodeClient client = server.node()) {
            HttpResponse<String> answer = client.get("/schema", "application/json");
            if (answer.statusCode() == OK) {
                JsonNode schema = new ObjectMapper().readTree(answer.body());
                replace(tables, schema.get("tables"));
                replace(procedures, schema.get("procedures"));
                untold = Optional.empty();
            } else if (tables.isEmpty()) {
                untold = Optional.of(NodeClient.refusal(answer));
            }
        }
    }

    private static void replace(TreeMap<String, JsonNode> names, JsonNode list) {
        names.clear();
        list.forEach(one -> names.put(one.get("name").asText(), one));
    }

    /** Why nothing is known; empty if something is. */
    Optional<String> untold() {
        return untold;
    }

    List<String> tables() {
        return List.copyOf(tables.keySet());
    }

    List<String> procedures() {
        return List.copyOf(procedures.keySet());
    }

    /** Whether the schema is known and has no procedure of this name. Another session may have deployed it, so it is asked again. */
    boolean lacksProcedure(String name) {
        if (!procedures.containsKey(name)) {
            read();
        }
        return untold.isEmpty() && !procedures.containsKey(name);
    }

    /** The columns of a table; empty if there is none of that name. */
    List<String> columns(String table) {
        JsonNode found = tables.get(table);
        List<String> columns = new ArrayList<>();
        if (found != null) {
            found.get("columns")
                    .forEach(column -> columns.add(column.get("name").asText()));
        }
        return columns;
    }

    /** A table for people, a line for each column and index; empty if there is none of that name. */
    Optional<String> describe(String table) {
        return Optional.ofNullable(tables.get(table)).map(SchemaWords::describe);
    }

    private static String describe(JsonNode table) {
        StringBuilder text = new StringBuilder(table.get("name").asText())
                .append(
                        table.get("replicated").asBoolean()
                                ? ", replicated\n"
                                : ", partitioned on "
                                        + table.get("partitionColumn").asText() + "\n");
        table.get("columns")
                .forEach(column -> text.append("  ")
                        .append(column.get("name").asText())
                        .append(' ')
                        .append(column.get("type").asText())
                        .append(
                                column.has("default")
                                        ? " DEFAULT " + column.get("default").asText()
                                        : "")
                        .append(column.get("nullable").asBoolean() ? "\n" : " NOT NULL\n"));
        table.get("indexes")
                .forEach(index -> text.append(
                                index.get("primaryKey").asBoolean()
                                        ? "  primary key"
                                        : (index.get("unique").asBoolean() ? "  unique index " : "  index ")
                                                + index.get("name").asText())
                        .append(" (")
                        .append(String.join(", ", texts(index.get("columns"))))
                        .append("), ")
                        .append(index.get("kind").asText())
                        .append('\n'));
        return text.toString();
    }

    /** A line for each table. */
    String tableList() {
        StringBuilder text = new StringBuilder();
        tables.forEach((name, table) -> text.append(name)
                .append(" (")
                .append(String.join(", ", columns(name)))
                .append(")\n"));
        return text.isEmpty() ? "there are no tables\n" : text.toString();
    }

    /** A line for each procedure. */
    String procedureList() {
        StringBuilder text = new StringBuilder();
        procedures.forEach((name, procedure) -> text.append(name)
                .append(" (")
                .append(String.join(", ", texts(procedure.get("parameters"))))
                .append(')')
                .append(
                        procedure.has("refused")
                                ? ", can't be run: " + procedure.get("refused").asText()
                                : "")
                .append('\n'));
        return text.isEmpty() ? "no procedures are deployed\n" : text.toString();
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }
}
