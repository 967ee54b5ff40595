package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.metric.Histogram;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {
    @Test
    void shouldEscapeLabelsWhenTheyHaveSpecialCharacters() {
        PrometheusText text = new PrometheusText();

        text.gauge("a_gauge", "Help.").sample(1.5, "table", "a\"b\\c\nd");

        assertThat(text.toString())
                .isEqualTo("# HELP a_gauge Help.\n# TYPE a_gauge gauge\na_gauge{table=\"a\\\"b\\\\c\\nd\"} 1.5\n");
        assertThat(PrometheusChecker.read(text.toString())).hasSize(1);
    }

    @Test
    void shouldHaveCumulativeBucketsWhenTimesAreWritten() {
        Histogram histogram = new Histogram();
        histogram.record(1_000);
        histogram.record(20_000);
        histogram.record(3_000_000_000L);
        histogram.record(400_000_000_000L);
        PrometheusText text = new PrometheusText();

        text.histogram("a_seconds", "Help.").times(histogram.distribution(), "procedure", "P");

        Map<String, Double> samples = PrometheusChecker.read(text.toString());
        assertThat(samples.get("a_seconds_count{procedure=\"P\"}")).isEqualTo(4);
        assertThat(samples.get("a_seconds_sum{procedure=\"P\"}")).isEqualTo(403.000021);
        assertThat(samples.get("a_seconds_bucket{procedure=\"P\",le=\"8.192E-6\"}"))
                .isEqualTo(1);
        assertThat(samples.get("a_seconds_bucket{procedure=\"P\",le=\"3.2768E-5\"}"))
                .isEqualTo(2);
        assertThat(samples.get("a_seconds_bucket{procedure=\"P\",le=\"34.359738368\"}"))
                .isEqualTo(3);
        assertThat(samples.get("a_seconds_bucket{procedure=\"P\",le=\"+Inf\"}")).isEqualTo(4);
    }
}
