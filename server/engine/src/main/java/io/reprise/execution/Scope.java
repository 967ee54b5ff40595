package io.reprise.execution;

/** How many partitions a work may need; known when it is deployed. */
public enum Scope {
    /** One bucket, the one of its routing parameter. */
    KEY,
    /** Any one partition: it reads replicated tables only. */
    PARTITION,
    /** Those that its routing parameters say, or all. */
    MULTI
}
