package io.reprise.command;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * A reader of CSV in the form of RFC 4180: fields in quotation marks may have separators, line ends and doubled quotation marks. It
 * tells an empty field from an empty string, and keeps each record's text, so that a rejected record is given back unchanged. A record
 * with text behind a field's closing quotation mark is read to its end, and is {@link #malformed}.
 */
final class CsvReader {
    /** The most characters of a record; a longer one has most likely a quotation mark too many. */
    private static final int LONGEST = 64 << 20;

    private static final int END = -1;
    private static final int BUFFER = 1 << 16;

    private final Reader reader;
    private final char[] buffer = new char[BUFFER];
    private final char separator;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder field = new StringBuilder();
    private int at;
    private int limit;
    private int next;
    private boolean begun;
    private boolean malformed;
    private long line;
    private long recordLine;

    CsvReader(Reader reader, char separator) {
        this.reader = reader;
        this.separator = separator;
    }

    /** The next record's fields, or null at the end. An empty field without quotation marks is null. */
    List<String> read() throws IOException {
        if (!begun) {
            begun = true;
            next = character();
            if (next == '\uFEFF') {
                next = character();
            }
        }
        if (next == END) {
            return null;
        }
        text.setLength(0);
        malformed = false;
        recordLine = line + 1;
        List<String> fields = new ArrayList<>();
        while (true) {
            fields.add(field());
            if (next != separator) {
                break;
            }
            take();
        }
        endOfLine();
        return fields;
    }

    /** The text of the last record, without its line end. */
    String text() {
        return text.toString();
    }

    /** Whether the last record has text behind a closing quotation mark. */
    boolean malformed() {
        return malformed;
    }

    /** The line on which the last record began, from 1. */
    long line() {
        return recordLine;
    }

    /** The line on which the next record begins, if the last was read to its end. */
    long nextLine() {
        return line + 1;
    }

    private String field() throws IOException {
        field.setLength(0);
        boolean quoted = next == '"';
        if (quoted) {
            take();
            quotedPart();
            malformed |= !atEndOfField();
        }
        while (!atEndOfField()) {
            field.append((char) next);
            take();
            plainPart();
        }
        return field.isEmpty() && !quoted ? null : field.toString();
    }

    /** Takes the characters of the field that the buffer has, all at once, and the one behind them as the next. */
    private void plainPart() {
        if (atEndOfField()) {
            return;
        }
        int end = at;
        while (end < limit && buffer[end] != separator && buffer[end] != '\n' && buffer[end] != '\r') {
            end++;
        }
        int length = end - at;
        if (length > 0 && text.length() + length < LONGEST) {
            field.append((char) next).append(buffer, at, length - 1);
            text.append((char) next).append(buffer, at, length - 1);
            next = buffer[end - 1];
            at = end;
        }
    }

    private boolean atEndOfField() {
        return next == END || next == separator || next == '\n' || next == '\r';
    }

    private void quotedPart() throws IOException {
        while (true) {
            if (next == END) {
                throw new CsvException(
                        "the quotation mark in the record that begins on line " + recordLine + " is not closed");
            }
            int c = next;
            take();
            if (c == '"') {
                if (next != '"') {
                    return;
                }
                take();
            }
            field.append((char) c);
            if (c == '\n') {
                line++;
            }
        }
    }

    /** The next character, or END. */
    private int character() throws IOException {
        if (at == limit) {
            at = 0;
            limit = Math.max(0, reader.read(buffer, 0, BUFFER));
            if (limit == 0) {
                return END;
            }
        }
        return buffer[at++];
    }

    private void take() throws IOException {
        if (text.length() == LONGEST) {
            throw new CsvException("the record that begins on line " + recordLine + " has more than " + LONGEST
                    + " characters; perhaps a quotation mark in it is not closed");
        }
        text.append((char) next);
        next = character();
    }

    private void endOfLine() throws IOException {
        line++;
        if (next == '\r') {
            next = character();
        }
        if (next == '\n') {
            next = character();
        }
    }

    /** The rest of the file is no CSV. */
    static final class CsvException extends IOException {
        private static final long serialVersionUID = 1L;

        CsvException(String message) {
            super(message);
        }
    }
}
