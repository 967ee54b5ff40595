/**
 * Spans for a tracing system, by OpenTelemetry's library, which no other package knows. Off unless an endpoint is configured. Spans are
 * queued and sent by a thread of the library; nothing waits for it, and a full queue drops spans.
 *
 * <p>Start with {@link io.reprise.node.trace.SpanExport}.
 */
package io.reprise.node.trace;
