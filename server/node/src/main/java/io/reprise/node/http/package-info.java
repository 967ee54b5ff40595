/**
 * The HTTP server of a node: metrics for Prometheus, health, readiness, status for people and
 * programs, the page, and a few actions for holders of its token. {@link
 * io.reprise.node.http.HttpEndpoint} is the server, {@link io.reprise.node.http.NodeState} what it looks at.
 *
 * <p>Threads: a few of its own, never a site's. Nothing here waits for the engine, but for what was asked to be done.
 */
package io.reprise.node.http;
