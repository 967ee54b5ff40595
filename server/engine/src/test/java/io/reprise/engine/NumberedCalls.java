package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Callers.Answer;
import io.reprise.engine.Callers.Call;
import io.reprise.runtime.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A few clients that number their calls, and may make again those whose outcomes they have not yet said to know. */
final class NumberedCalls {
    /** More than there is room for of a client at first. */
    private static final int MOST_OPEN = 40;

    private final Randomness random;
    private final List<Client> clients = new ArrayList<>();

    NumberedCalls(Randomness random, int count) {
        this.random = random;
        for (int i = 0; i < count; i++) {
            clients.add(new Client(random.nextLong() | 1));
        }
    }

    private static final class Client {
        private final long id;
        private final TreeMap<Long, Done> open = new TreeMap<>();
        private long next = 1;
        private long acknowledged = 1;

        private Client(long id) {
            this.id = id;
        }
    }

    /** A call with what was answered. */
    private record Done(Call call, Answer answer) {}

    /** Before calls that are made at once: of those before them some are not going to be made again. */
    void begin() {
        for (Client client : clients) {
            while (client.open.size() > random.nextInt(MOST_OPEN)) {
                client.open.pollFirstEntry();
            }
            client.acknowledged = client.open.isEmpty() ? client.next : client.open.firstKey();
        }
    }

    /** The next call of one of the clients. */
    Call next(int site, String procedure, Object... arguments) {
        Client client = clients.get(random.nextInt(clients.size()));
        return new Call(site, client.id, client.next++, client.acknowledged, procedure, arguments);
    }

    /**
     * Notes the outcomes of calls. Calls that wrote nothing, or were rolled back, are not made again: their outcomes
     * are lost when the engine stops.
     */
    void answered(List<Call> calls, List<Answer> answers) {
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Answer answer = answers.get(i);
            if (call.sequence() != 0 && answer.wrote()) {
                clients.stream()
                        .filter(client -> client.id == call.client())
                        .forEach(client -> client.open.put(call.sequence(), new Done(call, answer)));
            }
        }
    }

    /** Makes all calls again that clients may make again; they must be answered as before, and do nothing. */
    void makeAgain(Reprise engine, Callers callers) {
        for (Client client : clients) {
            List<Done> open = List.copyOf(client.open.values());
            List<Call> calls = open.stream()
                    .map(done -> done.call)
                    .map(call -> new Call(
                            random.nextInt(8),
                            client.id,
                            call.sequence(),
                            client.acknowledged,
                            call.procedure(),
                            call.arguments()))
                    .toList();
            List<Answer> answers = callers.run(engine, calls);
            for (int i = 0; i < calls.size(); i++) {
                assertThat(answers.get(i).shown())
                        .as("again: %s", calls.get(i))
                        .isEqualTo(open.get(i).answer.again());
            }
        }
    }
}
