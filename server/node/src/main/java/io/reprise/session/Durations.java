package io.reprise.session;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of settings: a number of milliseconds, or a number with a unit. */
final class Durations {
    private static final Pattern FORM = Pattern.compile("\\s*(\\d{1,10})(?:\\.(\\d))?\\d*\\s*(us|ms|s|min|h|d)?\\s*");
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Durations() {}

    /** The milliseconds of a setting's value. */
    static long ms(String name, String value) {
        Matcher form = FORM.matcher(value.toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            throw invalid(name, value);
        }
        long whole = Long.parseLong(form.group(1));
        long tenths = form.group(2) == null ? 0 : Long.parseLong(form.group(2));
        String unit = form.group(3) == null ? "ms" : form.group(3);
        if (unit.equals("us")) {
            return (whole + SECOND / 2) / SECOND;
        }
        long ms = whole * unitMs(unit) + tenths * unitMs(unit) / 10;
        if (ms > Integer.MAX_VALUE) {
            throw invalid(name, value);
        }
        return ms;
    }

    private static SessionException invalid(String name, String value) {
        return new SessionException(
                SqlStates.INVALID_SETTING,
                "invalid value for parameter \"" + name + "\": \"" + value + "\"",
                "Valid units for this parameter are \"us\", \"ms\", \"s\", \"min\", \"h\", and \"d\".",
                0);
    }

    private static long unitMs(String unit) {
        return switch (unit) {
            case "s" -> SECOND;
            case "min" -> MINUTE;
            case "h" -> HOUR;
            case "d" -> DAY;
            default -> 1;
        };
    }

    /** A time in the largest unit that divides it. */
    static String text(long ms) {
        if (ms == 0) {
            return "0";
        } else if (ms % DAY == 0) {
            return ms / DAY + "d";
        } else if (ms % HOUR == 0) {
            return ms / HOUR + "h";
        } else if (ms % MINUTE == 0) {
            return ms / MINUTE + "min";
        }
        return ms % SECOND == 0 ? ms / SECOND + "s" : ms + "ms";
    }
}
