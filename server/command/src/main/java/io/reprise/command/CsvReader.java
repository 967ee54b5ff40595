package io.reprise.command;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads CSV as RFC 4180 has it: fields in quotation marks may have separators, line ends and doubled quotation marks. Tells
 * an empty field from an empty string, and keeps each record's text, so that one that is refused can be given back as it was.
 * Where something stands behind a field's closing quotation mark nobody knows what the field is: the record is read to its end, and is
 * {@link #malformed}.
 */
final class CsvReader {
    /** Of the text of a record, which is kept as a whole; one that is longer has most likely a quotation mark too many. */
    private static final int LONGEST = 64 << 20;

    private static final int END = -1;

    private final Reader reader;
    private final char separator;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder field = new StringBuilder();
    private int next;
    private boolean begun;
    private boolean malformed;
    private long line;
    private long recordLine;

    /** Of a reader that does its own buffering. */
    CsvReader(Reader reader, char separator) {
        this.reader = reader;
        this.separator = separator;
    }

    /** The next record's fields, null for one that is empty and not in quotation marks; null at the end. */
    List<String> read() throws IOException {
        if (!begun) {
            begun = true;
            next = reader.read();
            if (next == '\uFEFF') {
                next = reader.read();
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

    /** Whether the last record has fields that say nothing certain. */
    boolean malformed() {
        return malformed;
    }

    /** On which line the last record began, from 1. */
    long line() {
        return recordLine;
    }

    /** On which line the next record begins, if the last was read to its end. */
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
        }
        return field.isEmpty() && !quoted ? null : field.toString();
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

    private void take() throws IOException {
        if (text.length() == LONGEST) {
            throw new CsvException("the record that begins on line " + recordLine + " has more than " + LONGEST
                    + " characters; perhaps a quotation mark in it is not closed");
        }
        text.append((char) next);
        next = reader.read();
    }

    private void endOfLine() throws IOException {
        line++;
        if (next == '\r') {
            next = reader.read();
        }
        if (next == '\n') {
            next = reader.read();
        }
    }

    /** The file is no CSV from here on. */
    static final class CsvException extends IOException {
        private static final long serialVersionUID = 1L;

        CsvException(String message) {
            super(message);
        }
    }
}
