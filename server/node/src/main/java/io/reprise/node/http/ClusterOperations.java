package io.reprise.node.http;

import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import io.reprise.engine.Reprise;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.LogText;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Operations on the nodes of a cluster as the body of a request names them.
 *
 * <pre>
 *  add N       node N, which runs, joins the cluster and gets its share of replicas and leads
 *  remove N    others get the replicas of node N, then it leaves the cluster
 *  balance     replicas and leads are spread evenly over the nodes
 *  move B:P... bucket B goes to partition P, and so on
 *  cancel      goals that are not reached are given up
 *  cut         a consistent cut over all partitions is made; the answer is its id, hexadecimal
 *  upgrade     the cluster goes to the greatest level of its nodes
 *  hand-over   this node's leaders hand over to the first holders of their partitions
 * </pre>
 */
final class ClusterOperations {
    static final int MOST_BYTES = 1 << 20;
    private static final int MOST_SHOWN = 64;
    private static final long CONTACT_SECONDS = 20;
    private static final int OK = 200;
    private static final int BAD = 400;
    private static final int CONFLICT = 409;
    private static final int UNAVAILABLE = 503;

    private ClusterOperations() {}

    /** The status and the text for the sender. */
    record Answer(int code, String text) {
        boolean isGood() {
            return code == OK;
        }
    }

    static Answer run(Reprise engine, String body) {
        String[] words = body.strip().split("\\s+");
        if (body.strip().equals("hand-over")) {
            engine.balanceLeaders();
            return new Answer(OK, "Leaders are handed over.");
        }
        boolean named = words.length == 2 && words[1].matches("[0-9]{1,4}");
        return switch (words[0]) {
            case "add" -> named ? run(engine, new MapOperation.Add(Integer.parseInt(words[1]))) : unknown(body);
            case "remove" -> named ? run(engine, new MapOperation.Remove(Integer.parseInt(words[1]))) : unknown(body);
            case "balance" -> words.length == 1 ? run(engine, new MapOperation.Spread()) : unknown(body);
            case "upgrade" ->
                words.length == 1
                        ? run(
                                () -> engine.operate(new MapOperation.Upgrade()),
                                map -> "The cluster works at level " + map.level() + ".")
                        : unknown(body);
            case "cut" -> words.length == 1 ? cut(engine) : unknown(body);
            case "move" -> areMoves(words) ? move(engine, words) : unknown(body);
            case "cancel" -> words.length == 1 ? run(engine, new MapOperation.Cancel()) : unknown(body);
            default -> unknown(body);
        };
    }

    private static Answer unknown(String body) {
        return new Answer(
                BAD,
                "the body is one of: add N, remove N, balance, move B:P ..., cancel, upgrade, cut, hand-over; it is '"
                        + LogText.of(body.strip(), MOST_SHOWN) + "'");
    }

    private static Answer cut(Reprise engine) {
        try {
            return new Answer(OK, Long.toHexString(engine.cut().get(CONTACT_SECONDS, TimeUnit.SECONDS)));
        } catch (ProcedureException refusal) {
            return new Answer(CONFLICT, refusal.getMessage());
        } catch (ExecutionException e) {
            return new Answer(UNAVAILABLE, String.valueOf(e.getCause().getMessage()));
        } catch (TimeoutException e) {
            return new Answer(UNAVAILABLE, "the partitions did not answer within " + CONTACT_SECONDS + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(UNAVAILABLE, "the node is stopping");
        }
    }

    /** Word by word, because one pattern for thousands of moves would overflow the stack. */
    private static boolean areMoves(String[] words) {
        return words.length > 1 && Arrays.stream(words).skip(1).allMatch(word -> word.matches("[0-9]{1,5}:[0-9]{1,4}"));
    }

    private static Answer move(Reprise engine, String[] words) {
        SortedMap<Integer, Integer> goals = new TreeMap<>();
        for (int i = 1; i < words.length; i++) {
            int colon = words[i].indexOf(':');
            goals.put(Integer.valueOf(words[i].substring(0, colon)), Integer.valueOf(words[i].substring(colon + 1)));
        }
        return run(() -> engine.moveBuckets(goals));
    }

    private static Answer run(Reprise engine, MapOperation operation) {
        return run(() -> engine.operate(operation));
    }

    private static Answer run(Supplier<CompletableFuture<PartitionMap>> operation) {
        return run(
                operation,
                map -> map.moving() + " partitions and " + map.movingBuckets() + " buckets are on the move.");
    }

    private static Answer run(
            Supplier<CompletableFuture<PartitionMap>> operation, Function<PartitionMap, String> text) {
        try {
            PartitionMap map = operation.get().get(CONTACT_SECONDS, TimeUnit.SECONDS);
            return new Answer(OK, text.apply(map));
        } catch (MapOperation.RefusedException refusal) {
            return new Answer(CONFLICT, refusal.getMessage());
        } catch (ExecutionException e) {
            return new Answer(CONFLICT, String.valueOf(e.getCause().getMessage()));
        } catch (TimeoutException e) {
            return new Answer(
                    UNAVAILABLE,
                    "this node has no contact with ZooKeeper; the operation begins when there is contact again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(UNAVAILABLE, "the node is stopping");
        }
    }
}
