package io.reprise.benchmark.durable;

import io.reprise.benchmark.fork.Fork;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A process for each way of logging. */
final class PaperForks implements AutoCloseable {
    private final Map<Logging, Fork> forks = new EnumMap<>(Logging.class);

    PaperForks(List<Logging> methods, Function<Logging, Fork> starts) {
        try {
            methods.forEach(logging -> forks.put(logging, starts.apply(logging)));
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    Fork of(Logging logging) {
        return forks.get(logging);
    }

    @Override
    public void close() {
        RuntimeException first = null;
        for (Fork fork : forks.values()) {
            try {
                fork.close();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
