package io.reprise.runtime.agent;

import io.reprise.runtime.FailureHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers failures, for tests to look at. */
final class RecordingFailures implements FailureHandler {
    final List<String> where = new CopyOnWriteArrayList<>();
    final List<Throwable> causes = new CopyOnWriteArrayList<>();

    @Override
    public void onFatal(String failed, Throwable cause) {
        causes.add(cause);
        where.add(failed);
    }
}
