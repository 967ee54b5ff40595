package io.reprise.node.http;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes JSON: names and values in the order in which they are given. Knows no objects. */
public final class Json {
    private final StringBuilder out = new StringBuilder(1 << 12);
    /** Of each object or list that is open, whether something is in it. */
    private final Deque<Boolean> filled = new ArrayDeque<>();

    /** Nothing yet. */
    public Json() {}

    /** Begins an object: the whole, or one in a list. */
    public Json object() {
        return open('{');
    }

    /** Begins an object within an object. */
    public Json object(String name) {
        return name(name).openNamed('{');
    }

    /** Begins a list within an object. */
    public Json list(String name) {
        return name(name).openNamed('[');
    }

    /** A list within a list. */
    public Json list() {
        return open('[');
    }

    /** A value of a list; null has its own form. */
    public Json add(String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    /** A whole number in a list. */
    public Json add(long value) {
        separate();
        out.append(value);
        return this;
    }

    /** Ends the object. */
    public Json endObject() {
        return close('}');
    }

    /** Ends the list. */
    public Json endList() {
        return close(']');
    }

    /** Text. */
    public Json put(String name, String value) {
        name(name);
        quote(value);
        return this;
    }

    /** A whole number. */
    public Json put(String name, long value) {
        name(name);
        out.append(value);
        return this;
    }

    /** True or false. */
    public Json put(String name, boolean value) {
        name(name);
        out.append(value);
        return this;
    }

    /** JSON has no form for infinity and NaN: null. */
    public Json put(String name, double value) {
        name(name);
        out.append(Double.isFinite(value) ? Double.toString(value) : "null");
        return this;
    }

    /** Null. */
    public Json putNull(String name) {
        name(name);
        out.append("null");
        return this;
    }

    private Json name(String name) {
        separate();
        quote(name);
        out.append(':');
        return this;
    }

    private Json open(char bracket) {
        if (!filled.isEmpty()) {
            separate();
        }
        return openNamed(bracket);
    }

    private Json openNamed(char bracket) {
        filled.push(false);
        out.append(bracket);
        return this;
    }

    private Json close(char bracket) {
        filled.pop();
        out.append(bracket);
        return this;
    }

    private void separate() {
        if (filled.pop()) {
            out.append(',');
        }
        filled.push(true);
    }

    private void quote(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || c == '\u2028' || c == '\u2029') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
