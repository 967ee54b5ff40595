package io.reprise.configuration;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as people write them: 64MiB, 1.5 GB, 20ms, 3 min. */
final class Units {
    static final String SIZES = "a number with B, KB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (of 1024)";
    static final String DURATIONS = "a number with ns, us, ms, s, min, h or d";

    private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?) *([A-Za-z]*)");
    private static final Map<String, Double> BYTES = new LinkedHashMap<>();
    private static final Map<String, Double> NANOS = new LinkedHashMap<>();

    static {
        BYTES.put("b", 1.0);
        String prefixes = "kmgt";
        for (int i = 0; i < prefixes.length(); i++) {
            BYTES.put(prefixes.charAt(i) + "b", Math.pow(1000, i + 1));
            BYTES.put(prefixes.charAt(i) + "ib", Math.pow(1024, i + 1));
        }
        NANOS.put("ns", 1.0);
        NANOS.put("us", 1e3);
        NANOS.put("ms", 1e6);
        NANOS.put("s", 1e9);
        NANOS.put("min", 60e9);
        NANOS.put("h", 3600e9);
        NANOS.put("d", 86_400e9);
    }

    private Units() {}

    /** Bytes; empty if it is not a size. */
    static Optional<Long> size(String text) {
        return number(text, BYTES);
    }

    /** A duration; empty if it is none. */
    static Optional<Duration> duration(String text) {
        return number(text, NANOS).map(Duration::ofNanos);
    }

    /** Zero needs no unit; everything else does, so that no reader has to guess. */
    private static Optional<Long> number(String text, Map<String, Double> units) {
        Matcher matcher = WITH_UNIT.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        double value = Double.parseDouble(matcher.group(1));
        Double unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
        if (unit == null) {
            return value == 0 && matcher.group(2).isEmpty() ? Optional.of(0L) : Optional.empty();
        }
        double all = value * unit;
        return all < Long.MAX_VALUE ? Optional.of(Math.round(all)) : Optional.empty();
    }
}
