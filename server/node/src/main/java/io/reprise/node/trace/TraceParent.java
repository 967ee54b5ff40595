package io.reprise.node.trace;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trace context in a statement's comment, as sqlcommenter writes it:
 *
 * <pre>
 * SELECT 1 /*traceparent='00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'*&#47;
 *                         version | trace id                | span id        | flags; bit 0: sampled
 * </pre>
 */
final class TraceParent {
    private static final String NAME = "traceparent";
    private static final Pattern VALUE =
            Pattern.compile("traceparent\\s*=\\s*'[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");
    private static final int SAMPLED = 1;
    private static final int HEXADECIMAL = 16;

    private TraceParent() {}

    /** The context of the caller's span; empty if there is none, or if its trace is not recorded. */
    static Optional<SpanContext> of(String statement) {
        if (!statement.contains(NAME)) {
            return Optional.empty();
        }
        Matcher found = VALUE.matcher(statement);
        if (!found.find() || (Integer.parseInt(found.group(3), HEXADECIMAL) & SAMPLED) == 0) {
            return Optional.empty();
        }
        SpanContext context = SpanContext.createFromRemoteParent(
                found.group(1), found.group(2), TraceFlags.getSampled(), TraceState.getDefault());
        return Optional.of(context).filter(SpanContext::isValid);
    }
}
