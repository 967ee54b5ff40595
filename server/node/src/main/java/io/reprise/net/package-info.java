/** Netty pipelines: bytes to messages and back, and no decisions. {@code net.client} serves clients. */
package io.reprise.net;
