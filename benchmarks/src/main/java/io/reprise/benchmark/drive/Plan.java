package io.reprise.benchmark.drive;

import java.util.List;
import java.util.Locale;

/**
 * The plan of a run.
 *
 * @param rates calls per second, one after the other; 0: as many as may be under way
 * @param callers number of threads that wait for each of their replies; 0: none does, calls are made at the rates
 * @param clients number of clients
 * @param warmUpSeconds time before anything counts
 * @param seconds time of the measurement, at each rate; 0: until it is stopped
 */
record Plan(List<Integer> rates, int callers, int clients, int warmUpSeconds, int seconds) {
    Plan {
        rates = List.copyOf(rates);
        require(clients >= 1 && clients <= 256, "there are 1 to 256 clients");
        require(callers >= 0 && callers <= 10_000, "there are at most 10,000 callers");
        require(callers == 0 || callers >= clients, "each client needs a caller");
        require(
                callers == 0 || rates.equals(List.of(0)),
                "callers wait for their replies, so they have no rate: say one or the other");
        require(rates.stream().allMatch(rate -> rate >= 0), "a rate is calls per second, so not negative");
        require(seconds >= 0 && warmUpSeconds >= 0, "times are not negative");
        require(seconds > 0 || rates.size() == 1, "a run of several rates needs a duration for each");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Describes one of the rates, for people. */
    String describe(int rate) {
        String by = clients == 1 ? "1 client" : clients + " clients";
        if (callers > 0) {
            return String.format(Locale.ROOT, "closed loop, %d callers that wait for each reply, %s", callers, by);
        }
        return rate == 0
                ? "as many calls as may be under way, " + by
                : String.format(Locale.ROOT, "open loop at %,d calls/s, %s", rate, by);
    }
}
