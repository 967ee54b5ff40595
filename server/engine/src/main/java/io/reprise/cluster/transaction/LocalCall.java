package io.reprise.cluster.transaction;

/** A call of one partition that waits for its turn. */
record LocalCall(byte[] work, boolean isRead, Reply reply) {}
