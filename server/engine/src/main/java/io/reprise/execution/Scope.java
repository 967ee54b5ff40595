package io.reprise.execution;

/** The number of partitions that a work may need; known when it is deployed. */
public enum Scope {
    /** One bucket, the one of its routing parameter. */
    KEY,
    /** Any one partition: it reads replicated tables only. */
    PARTITION,
    /** Those that its routing parameters say, or all. */
    MULTI
}
