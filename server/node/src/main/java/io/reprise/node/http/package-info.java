/**
 * What a node tells over HTTP: metrics for Prometheus, whether it lives and is ready, how it stands, for people and
 * programs; and the few things that it can be told to do, by who knows its token. {@link
 * io.reprise.node.http.HttpEndpoint} is the server, {@link io.reprise.node.http.NodeState} what it looks at.
 *
 * <p>Threads: a few of its own, never a site's. Nothing here waits for the engine, but for what was asked to be done.
 */
package io.reprise.node.http;
