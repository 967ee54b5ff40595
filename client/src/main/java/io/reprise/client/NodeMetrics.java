package io.reprise.client;

/**
 * The state of a client's connection to one node, and its counter.
 *
 * @param address the node's address
 * @param number the node's number in its cluster; -1: it is not in one, or has not told yet
 * @param connected whether calls can be sent
 * @param replies the replies that have come from it
 */
public record NodeMetrics(String address, int number, boolean connected, long replies) {}
