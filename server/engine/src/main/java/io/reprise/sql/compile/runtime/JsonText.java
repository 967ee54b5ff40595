package io.reprise.sql.compile.runtime;

import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;

/** The check of a text for JSON, by RFC 8259. It goes through the bytes once and recurses for nested values only. */
public final class JsonText {
    private static final int MOST_DEPTH = 500;
    private static final int BYTES_PER_CHECK = 1 << 14;

    /** The text, if it lies on the heap; null: it lies in the memory. */
    private final byte[] heap;

    private final Memory memory;
    private final long start;
    private final int length;
    private int at;
    private int depth;

    JsonText(Memory memory, long ref) {
        heap = null;
        this.memory = memory;
        start = Ref.address(ref);
        length = Ref.length(ref);
    }

    private JsonText(byte[] text) {
        heap = text;
        memory = null;
        start = 0;
        length = text.length;
    }

    /** The text, if it is JSON; throws INVALID_VALUE otherwise. */
    public static long checked(Memory memory, long ref) {
        new JsonText(memory, ref).whole();
        return ref;
    }

    /** The same check of a text on the heap. */
    static void check(byte[] text) {
        new JsonText(text).whole();
    }

    private void whole() {
        value();
        blanks();
        if (at != length) {
            throw invalid("the end of the text was expected");
        }
    }

    /** The value of the last member with a name; NONE if the text is no object, or has no such member. */
    long member(String name) {
        blanks();
        if (peek() != '{') {
            return JsonAccess.NONE;
        }
        long found = JsonAccess.NONE;
        at++;
        blanks();
        while (peek() != '}') {
            blanks();
            int from = at;
            if (peek() != '"') {
                throw invalid("a name in double quotes was expected");
            }
            string();
            boolean named = name.equals(unescaped(Utf8.decode(memory, Ref.of(start + from, at - from))));
            blanks();
            expect(':');
            long value = nextValue();
            found = named ? value : found;
            blanks();
            if (peek() == ',') {
                at++;
            } else if (peek() != '}') {
                throw invalid("a comma was expected");
            }
        }
        return found;
    }

    /** An element by its number from 0; NONE if the text is no array, or has no such element. */
    long element(long number) {
        blanks();
        if (peek() != '[') {
            return JsonAccess.NONE;
        }
        at++;
        blanks();
        for (long i = 0; peek() != ']'; i++) {
            long value = nextValue();
            if (i == number) {
                return value;
            }
            blanks();
            if (peek() == ',') {
                at++;
            } else if (peek() != ']') {
                throw invalid("a comma was expected");
            }
        }
        return JsonAccess.NONE;
    }

    /** The number of an array's elements; 0 for anything else. */
    long elements() {
        long count = 0;
        blanks();
        if (peek() != '[') {
            return count;
        }
        at++;
        blanks();
        while (peek() != ']') {
            nextValue();
            count++;
            blanks();
            if (peek() == ',') {
                at++;
            } else if (peek() != ']') {
                throw invalid("a comma was expected");
            }
        }
        return count;
    }

    private long nextValue() {
        blanks();
        int from = at;
        value();
        return Ref.of(start + from, at - from);
    }

    /** A string without its quotes and escapes. */
    static String unescaped(String quoted) {
        StringBuilder text = new StringBuilder(quoted.length());
        for (int i = 1; i < quoted.length() - 1; i++) {
            char c = quoted.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char letter = quoted.charAt(++i);
            switch (letter) {
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'u' -> {
                    text.append((char) Integer.parseInt(quoted.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> text.append(letter);
            }
        }
        return text.toString();
    }

    private RuntimeException invalid(String why) {
        return Errors.invalid("invalid input syntax for type json: " + why + " at byte " + (at + 1));
    }

    private int peek() {
        if (at % BYTES_PER_CHECK == 0) {
            LoopGuard.check();
        }
        if (at >= length) {
            return -1;
        }
        return (heap != null ? heap[at] : memory.getByte(start + at)) & 0xFF;
    }

    private void blanks() {
        for (int next = peek(); next == ' ' || next == '\t' || next == '\n' || next == '\r'; next = peek()) {
            at++;
        }
    }

    private void value() {
        if (++depth > MOST_DEPTH) {
            throw invalid("more than " + MOST_DEPTH + " values within each other");
        }
        blanks();
        switch (peek()) {
            case '{' -> members('}', true);
            case '[' -> members(']', false);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
        depth--;
    }

    private void members(char end, boolean named) {
        at++;
        blanks();
        if (peek() == end) {
            at++;
            return;
        }
        while (true) {
            if (named) {
                blanks();
                if (peek() != '"') {
                    throw invalid("a name in double quotes was expected");
                }
                string();
                blanks();
                expect(':');
            }
            value();
            blanks();
            if (peek() == end) {
                at++;
                return;
            }
            expect(',');
        }
    }

    private void expect(char sign) {
        if (peek() != sign) {
            throw invalid("\"" + sign + "\" was expected");
        }
        at++;
    }

    private void word(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (peek() != word.charAt(i)) {
                throw invalid("a value was expected");
            }
            at++;
        }
    }

    private void string() {
        at++;
        while (true) {
            int next = peek();
            at++;
            if (next == '"') {
                return;
            } else if (next < ' ') {
                at--;
                throw invalid(next < 0 ? "a string has no end" : "a control character in a string");
            } else if (next == '\\') {
                escape();
            }
        }
    }

    private void escape() {
        int letter = peek();
        if (letter == 'u') {
            for (int i = 0; i < 4; i++) {
                at++;
                if (Character.digit(peek(), 16) < 0) {
                    throw invalid("four hexadecimal digits were expected");
                }
            }
        } else if (letter < 0 || "\"\\/bfnrt".indexOf(letter) < 0) {
            throw invalid("an unknown escape in a string");
        }
        at++;
    }

    private void number() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
    }

    private void digits() {
        if (peek() < '0' || peek() > '9') {
            throw invalid("a value was expected");
        }
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
    }
}
