package io.reprise.benchmark.fork;

import java.util.List;
import java.util.Map;

/**
 * The task of a {@link Fork} in its process. Implementations are public and have a public constructor without
 * parameters; all methods are called by the process's main thread, {@link #open} first and {@link #close} last. An
 * exception goes to the parent as a failure, and ends the process.
 */
public interface ForkedTask extends AutoCloseable {
    /** Gets ready: the parent's first answer waits for it. */
    void open(List<String> words) throws Exception;

    /** Does what the parent asks for, and says what came of it. */
    Map<String, Double> answer(List<String> request) throws Exception;

    /** The parent asks for nothing more. */
    @Override
    void close() throws Exception;
}
