package io.reprise.runtime;

/** Foreign text in the node's log, cut to a short single line, because people and programs read the log line by line. */
public final class LogText {
    private static final int MOST = 200;

    private LogText() {}

    /** As much of a text as may be logged, without control characters. */
    public static String of(String text) {
        return of(text, MOST);
    }

    /** So many characters of it at most. */
    public static String of(String text, int most) {
        if (text == null) {
            return "null";
        }
        String shown = text.length() > most ? text.substring(0, most) + "..." : text;
        return shown.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "?");
    }
}
