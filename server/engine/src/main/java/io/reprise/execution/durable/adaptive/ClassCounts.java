package io.reprise.execution.durable.adaptive;

import io.reprise.runtime.metric.Counter;

/** The records that a site has logged of a class of transactions. Written by the site, read by any thread. */
final class ClassCounts {
    final Counter commands = new Counter();
    final Counter commandBytes = new Counter();
    final Counter data = new Counter();
    final Counter dataBytes = new Counter();

    final Counter boundaries = new Counter();
    final Counter boundaryBytes = new Counter();

    /** The sum over all records of the procedure's average time. */
    final Counter executionNs = new Counter();

    long records() {
        return commands.get() + data.get() + boundaries.get();
    }
}
