package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.reprise.node.process.RunFile;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/** An operation on the nodes of a cluster: any node on this machine brings it into the map, and leaders carry it out. */
final class ClusterOperation {
    private static final long TELL_NS = 2_000_000_000L;
    private static final int GOOD = 200;
    private static final int UNAVAILABLE = 503;

    private final List<Path> directories;
    private final PrintWriter out;
    private final PrintWriter err;
    private int code;

    /**
     * An operation.
     *
     * @param directories the data directories of nodes that may be asked
     * @param command prints the answers
     */
    ClusterOperation(List<Path> directories, CommandSpec command) {
        this.directories = directories;
        out = command.commandLine().getOut();
        err = command.commandLine().getErr();
    }

    /** Brings the operation into the map. Returns an exit code; a failure is explained. */
    int begin(String operation) throws InterruptedException {
        Optional<String> answer = ask(operation);
        answer.ifPresent(out::println);
        out.flush();
        return answer.isPresent() ? 0 : code;
    }

    /** Brings the operation into the map and waits for its end, unless the seconds are 0. Returns an exit code. */
    int run(String operation, long seconds) throws InterruptedException {
        int begun = begin(operation);
        return begun == 0 && seconds > 0 ? await(seconds) : begun;
    }

    /** The answer of the first node that can carry it out; empty after a failure, which is explained. */
    Optional<String> ask(String operation) throws InterruptedException {
        String problem = "no node of the cluster answers on this machine";
        code = RepriseCommand.NOT_RUNNING;
        for (Path directory : directories) {
            Optional<RunFile> node = ClusterFolder.running(directory);
            if (node.isEmpty()) {
                continue;
            }
            try (NodeClient client = new NodeClient(node.get())) {
                HttpResponse<String> answer = client.post("/cluster", operation);
                if (answer.statusCode() == GOOD) {
                    return Optional.of(answer.body().strip());
                }
                problem = problem(answer.body());
                if (answer.statusCode() != UNAVAILABLE) {
                    code = StartCommand.FAILED;
                    break;
                }
            } catch (IOException | IllegalStateException e) {
                problem = e.getMessage();
            }
        }
        err.println("reprise: " + problem);
        return Optional.empty();
    }

    private static String problem(String body) throws IOException {
        JsonNode json = new ObjectMapper().readTree(body);
        return json.path("problem").isTextual() ? json.path("problem").asText() : body.strip();
    }

    /** Waits until nothing is on the move, and says how far it is. Returns an exit code. */
    private int await(long seconds) throws InterruptedException {
        long endNs = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long tellNs = SystemClock.INSTANCE.nanoTime() + TELL_NS;
        while (true) {
            Optional<JsonNode> view = ClusterStatusCommand.view(directories);
            if (view.isPresent() && isSettled(view.get())) {
                return 0;
            }
            long nowNs = SystemClock.INSTANCE.nanoTime();
            if (nowNs > endNs) {
                err.println("reprise: after " + seconds + " s "
                        + view.map(ClusterOperation::describe).orElse("no node answers")
                        + "; the operation goes on without this command. \"reprise cluster status\" shows it, \"reprise"
                        + " cluster cancel\" ends it");
                return RepriseCommand.NOT_READY;
            }
            if (nowNs > tellNs) {
                tellNs = nowNs + TELL_NS;
                out.println(view.map(ClusterOperation::describe).orElse("no node answers"));
                out.flush();
            }
            ClusterStatusCommand.pause();
        }
    }

    static boolean isSettled(JsonNode view) {
        return view.path("moving").asInt() == 0
                && view.path("movingBuckets").asInt() == 0
                && view.path("removing").isEmpty();
    }

    static String describe(JsonNode view) {
        int buckets = view.path("movingBuckets").asInt();
        return view.path("moving").asInt() + " of " + view.path("partitions").size() + " partitions"
                + (buckets == 0 ? "" : " and " + buckets + (buckets == 1 ? " bucket" : " buckets"))
                + " are on the move";
    }
}
