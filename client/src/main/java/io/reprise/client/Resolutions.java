package io.reprise.client;

import io.reprise.wire.Wire;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Questions after procedures that the server has not answered yet. The network thread's. */
final class Resolutions {
    private final Map<Long, CompletableFuture<Resolved>> asked = new HashMap<>();
    private long questions;

    /** Asks for what has to be known of a procedure to call it. */
    CompletableFuture<ProcedureRoute> ask(String procedure, FrameSender sender) {
        CompletableFuture<Resolved> answer = new CompletableFuture<>();
        long id = ++questions;
        asked.put(id, answer);
        sender.send(
                Wire.RESOLVE,
                Resolve.newBuilder().setId(id).setProcedure(procedure).build());
        return answer.thenApply(Resolutions::route);
    }

    private static ProcedureRoute route(Resolved resolved) {
        if (resolved.getHandle() == 0) {
            throw CallException.of(
                    ErrorCode.of(resolved.getFailure().getCodeValue()),
                    resolved.getFailure().getMessage(),
                    resolved.getFailure().getRetryIsSafe());
        }
        return new ProcedureRoute(resolved.getHandle(), resolved.getRoutingParameter());
    }

    /** Takes an answer of the server. It may answer a probe, which has no waiting caller. */
    void answered(Resolved answer) {
        CompletableFuture<Resolved> waiting = asked.remove(answer.getId());
        if (waiting != null) {
            waiting.complete(answer);
        }
    }

    /** There will be no answers any more. */
    void failAll(CallException why) {
        List.copyOf(asked.values()).forEach(waiting -> waiting.completeExceptionally(why));
        asked.clear();
    }
}
