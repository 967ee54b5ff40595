package io.reprise.procedure;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Builds strings in a byte array that is reused, so that a procedure can put a string together without allocating.
 * Make it once, in a field. Bytes beyond the capacity are cut off, as columns with a maximal length need; {@link
 * #capacity} and {@link #length} tell.
 */
public final class TextBuilder {
    private final byte[] bytes;
    private final MemorySegment segment;
    private final Text view = new Text();
    private int length;

    /** A builder for at most this many bytes. */
    public TextBuilder(int capacity) {
        bytes = new byte[capacity];
        segment = MemorySegment.ofArray(bytes);
    }

    /** Starts again with nothing. */
    public TextBuilder clear() {
        length = 0;
        return this;
    }

    /** Appends one byte, an ASCII character. */
    public TextBuilder append(char ascii) {
        if (length < bytes.length) {
            bytes[length++] = (byte) ascii;
        }
        return this;
    }

    /** Appends the UTF-8 bytes of another text. */
    public TextBuilder append(Text text) {
        int count = Math.min(text.length(), bytes.length - length);
        text.copyTo(0, bytes, length, count);
        length += count;
        return this;
    }

    /** Appends bytes as they are. */
    public TextBuilder append(byte[] more) {
        int count = Math.min(more.length, bytes.length - length);
        System.arraycopy(more, 0, bytes, length, count);
        length += count;
        return this;
    }

    /** Appends a string; ASCII is copied without allocating. */
    public TextBuilder append(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 128) {
                return append(text.substring(i).getBytes(StandardCharsets.UTF_8));
            }
            append(text.charAt(i));
        }
        return this;
    }

    /** Appends a number in decimal. */
    public TextBuilder append(long number) {
        if (number < 0) {
            append('-');
        }
        return appendDigits(number, digits(number));
    }

    /** Appends a number without its sign in decimal, padded with zeros on the left to so many digits. */
    public TextBuilder appendPadded(long number, int width) {
        for (int i = digits(number); i < width; i++) {
            append('0');
        }
        return appendDigits(number, digits(number));
    }

    /** The text so far: a view, valid until the builder changes. */
    public Text text() {
        return view.wrap(segment, 0, length);
    }

    /** At most the first {@code limit} bytes of the text so far: the same view as {@link #text()}. */
    public Text text(int limit) {
        return view.wrap(segment, 0, Math.min(length, limit));
    }

    /** The number of bytes. */
    public int length() {
        return length;
    }

    /** The largest number of bytes. */
    public int capacity() {
        return bytes.length;
    }

    private TextBuilder appendDigits(long number, int count) {
        long rest = number;
        for (int at = length + count - 1; at >= length; at--) {
            if (at < bytes.length) {
                bytes[at] = (byte) ('0' + Math.abs(rest % 10));
            }
            rest /= 10;
        }
        length = Math.min(length + count, bytes.length);
        return this;
    }

    private static int digits(long number) {
        int count = 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            count++;
        }
        return count;
    }
}
