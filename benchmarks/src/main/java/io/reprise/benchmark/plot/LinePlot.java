package io.reprise.benchmark.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Lines through points, with axes that begin at zero or are logarithmic, written as an SVG drawing. */
public final class LinePlot {
    private static final double WIDTH = 640;
    private static final double HEIGHT = 400;
    private static final double LEFT = 80;
    private static final double RIGHT = 20;
    private static final double TOP = 40;
    private static final double BOTTOM = 60;
    private static final int TICKS = 6;
    private static final int MOST_MARKED = 60;
    private static final String[] COLOURS = {"#1b7837", "#2166ac", "#b2182b", "#762a83", "#e08214", "#35978f", "#525252"
    };

    /** The scale of an axis. */
    public enum Scale {
        LINEAR,
        LOGARITHMIC
    }

    /** A point. */
    private record Point(double x, double y) {}

    /** One axis: its label and its scale. */
    public record Axis(String label, Scale scale) {}

    private final String title;
    private final Axis x;
    private final Axis y;
    private final Map<String, List<Point>> lines = new LinkedHashMap<>();

    /** A plot without lines. */
    public LinePlot(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Adds a point to the line of this name. */
    public LinePlot add(String line, double pointX, double pointY) {
        lines.computeIfAbsent(line, name -> new ArrayList<>()).add(new Point(pointX, pointY));
        return this;
    }

    /** Writes it into a file. */
    public void write(Path file) throws IOException {
        Files.writeString(file, render());
    }

    /** The drawing. */
    public String render() {
        Range rangeX = Range.of(x.scale, points().mapToDouble(Point::x).toArray());
        Range rangeY = Range.of(y.scale, points().mapToDouble(Point::y).toArray());
        StringBuilder svg = new StringBuilder();
        append(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                WIDTH,
                HEIGHT);
        append(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        text(svg, WIDTH / 2, TOP / 2, "middle", title);
        text(svg, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 15, "middle", x.label);
        append(
                svg,
                "<text transform=\"translate(15 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                (TOP + HEIGHT - BOTTOM) / 2,
                escape(y.label));
        for (double tick : rangeX.ticks()) {
            double at = toX(rangeX, tick);
            line(svg, at, TOP, at, HEIGHT - BOTTOM);
            text(svg, at, HEIGHT - BOTTOM + 18, "middle", label(tick));
        }
        for (double tick : rangeY.ticks()) {
            double at = toY(rangeY, tick);
            line(svg, LEFT, at, WIDTH - RIGHT, at);
            text(svg, LEFT - 6, at + 4, "end", label(tick));
        }
        int number = 0;
        for (Map.Entry<String, List<Point>> each : lines.entrySet()) {
            draw(svg, each.getKey(), each.getValue(), number++, rangeX, rangeY);
        }
        return svg.append("</svg>\n").toString();
    }

    private Stream<Point> points() {
        return lines.values().stream().flatMap(List::stream);
    }

    private static void draw(StringBuilder svg, String name, List<Point> points, int number, Range x, Range y) {
        String colour = COLOURS[number % COLOURS.length];
        StringBuilder path = new StringBuilder();
        for (Point point : points) {
            append(path, "%.1f,%.1f ", toX(x, point.x), toY(y, point.y));
            if (points.size() <= MOST_MARKED) {
                append(
                        svg,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>",
                        toX(x, point.x),
                        toY(y, point.y),
                        colour);
            }
        }
        append(
                svg,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                path.toString().strip(),
                colour);
        double top = TOP + 14 + 16 * number;
        append(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"4\" fill=\"%s\"/>", LEFT + 10, top - 6, colour);
        text(svg, LEFT + 28, top, "start", name);
    }

    private static double toX(Range range, double value) {
        return LEFT + range.share(value) * (WIDTH - LEFT - RIGHT);
    }

    private static double toY(Range range, double value) {
        return HEIGHT - BOTTOM - range.share(value) * (HEIGHT - TOP - BOTTOM);
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        append(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>", x1, y1, x2, y2);
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        append(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escape(text));
    }

    private static void append(StringBuilder svg, String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String label(double value) {
        if (value >= 1e6) {
            return trimmed(value / 1e6) + "M";
        }
        return value >= 1e3 ? trimmed(value / 1e3) + "k" : trimmed(value);
    }

    private static String trimmed(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    /** The range of an axis. */
    private record Range(Scale scale, double from, double to) {
        static Range of(Scale scale, double... values) {
            double most = 0;
            double least = Double.MAX_VALUE;
            for (double value : values) {
                most = Math.max(most, value);
                least = Math.min(least, value);
            }
            if (scale == Scale.LINEAR) {
                double step = step(most);
                return new Range(scale, 0, step * Math.ceil(most / step));
            }
            double from = Math.pow(10, Math.floor(Math.log10(least)));
            double to = Math.pow(10, Math.ceil(Math.log10(most)));
            return new Range(scale, from, to > from ? to : 10 * from);
        }

        /** 1, 2 or 5 times a power of ten, so that there are some ticks. */
        private static double step(double most) {
            double raw = Math.max(most, 1e-9) / TICKS;
            double power = Math.pow(10, Math.floor(Math.log10(raw)));
            double lead = raw / power;
            return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
        }

        double share(double value) {
            return scale == Scale.LINEAR
                    ? value / to
                    : (Math.log10(value) - Math.log10(from)) / (Math.log10(to) - Math.log10(from));
        }

        List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            if (scale == Scale.LOGARITHMIC) {
                for (double tick = from; tick <= to * 1.001; tick *= 10) {
                    ticks.add(tick);
                }
                return ticks;
            }
            double step = step(to);
            for (int i = 0; i * step <= to * 1.001; i++) {
                ticks.add(i * step);
            }
            return ticks;
        }
    }
}
