package io.reprise.cluster;

/** A replica's node in one of its runs: a restarted node is another member. */
public record Member(int node, long incarnation) {}
