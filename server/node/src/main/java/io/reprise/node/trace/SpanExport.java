package io.reprise.node.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.reprise.execution.SlowTransaction;
import io.reprise.net.session.RequestTracing;
import io.reprise.procedure.ErrorCode;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Sends spans by OTLP over HTTP: requests of PostgreSQL's clients whose statement carries a recorded trace context, as children of the
 * caller's span, and slow transactions, as traces of their own with a span for each phase. Any thread.
 */
public final class SpanExport implements RequestTracing, AutoCloseable {
    private static final String SCOPE = "io.reprise";
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final long CLOSE_SECONDS = 2;
    private static final long MICRO_NS = 1_000;
    private static final int MOST_TEXT = 2_000;

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    private SpanExport(SdkTracerProvider provider) {
        this.provider = provider;
        tracer = provider.get(SCOPE);
    }

    /**
     * Begins to send.
     *
     * @param endpoint the URL of the receiver
     * @param node the node's name
     */
    public static SpanExport to(String endpoint, String node, String version) {
        Resource resource = Resource.getDefault()
                .merge(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        "reprise",
                        AttributeKey.stringKey("service.instance.id"),
                        node,
                        AttributeKey.stringKey("service.version"),
                        version)));
        OtlpHttpSpanExporter exporter =
                OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build();
        return new SpanExport(SdkTracerProvider.builder()
                .setResource(resource)
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setScheduleDelay(PAUSE)
                        .build())
                .build());
    }

    @Override
    public boolean traces(String statement) {
        return TraceParent.of(statement).isPresent();
    }

    @Override
    public void ended(String statement, long beganMicros, long endedMicros, String state) {
        TraceParent.of(statement).ifPresent(caller -> {
            Span span = begin(name(statement), Context.root().with(Span.wrap(caller)), beganMicros);
            span.setAttribute("db.query.text", statement.substring(0, Math.min(MOST_TEXT, statement.length())));
            if (!state.isEmpty()) {
                span.setAttribute("db.response.status_code", state);
                span.setStatus(StatusCode.ERROR);
            }
            span.end(endedMicros, TimeUnit.MICROSECONDS);
        });
    }

    private Span begin(String name, Context parent, long micros) {
        return tracer.spanBuilder(name)
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("db.system.name", "reprise")
                .setStartTimestamp(micros, TimeUnit.MICROSECONDS)
                .startSpan();
    }

    /** The statement's first word. Its text is an attribute, because names of spans are to be few. */
    static String name(String statement) {
        int begin = StatementText.begin(statement);
        int end = begin;
        while (end < statement.length() && StatementText.isLetter(statement.charAt(end))) {
            end++;
        }
        return statement.substring(begin, end).toUpperCase(Locale.ROOT);
    }

    /** A slow transaction has been answered. */
    public void slow(SlowTransaction slow) {
        long beganMicros = slow.answeredMicros() - slow.tookNs() / MICRO_NS;
        long runsMicros = beganMicros + slow.queuedNs() / MICRO_NS;
        long ranMicros = runsMicros + slow.executingNs() / MICRO_NS;
        Span span = begin(slow.procedure(), Context.root(), beganMicros);
        span.setAttribute("reprise.transaction", Long.toHexString(slow.id()));
        span.setAttribute("reprise.partition", slow.partition());
        span.setAttribute("reprise.participants", slow.participants());
        slow.error().map(ErrorCode::name).ifPresent(code -> {
            span.setAttribute("db.response.status_code", code);
            span.setStatus(StatusCode.ERROR);
        });
        Context of = Context.root().with(span);
        phase("queue", of, beganMicros, runsMicros);
        phase("execute", of, runsMicros, ranMicros);
        phase("log", of, ranMicros, slow.answeredMicros());
        span.end(slow.answeredMicros(), TimeUnit.MICROSECONDS);
    }

    private void phase(String name, Context of, long beganMicros, long endedMicros) {
        tracer.spanBuilder(name)
                .setParent(of)
                .setStartTimestamp(beganMicros, TimeUnit.MICROSECONDS)
                .startSpan()
                .end(endedMicros, TimeUnit.MICROSECONDS);
    }

    /** Sends the rest, within a moment. */
    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
