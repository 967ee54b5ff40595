package io.reprise.record.command;

/**
 * The payload of a command record.
 *
 * <pre>
 * command   varint version id | value*           a version of a procedure, as the catalog numbers them, from 1
 *           0 | text | value*                    a statement that was not deployed, and its parameters
 *
 * value     tag byte | what the tag says
 *           0x00..0x7F  the integer tag - 16: -16 to 111
 *           0x80..0xBF  a string of tag - 0x80 bytes, which follow: 0 to 63
 *           0xC0        NULL
 *           0xC1, 0xC2  FALSE, TRUE
 *           0xC3        integer: signed varint (also TIMESTAMP, DATE, TIME)
 *           0xC4        double: 8 bytes, little endian
 *           0xC5        decimal: signed varint scale | signed varint unscaled number
 *           0xC6        decimal: signed varint scale | bytes, the unscaled number in two's complement, big endian
 *           0xC7        string: bytes
 *           0xC8        string: varint length in characters | 2 bytes for each, little endian
 *           0xC9        binary value: bytes
 *           0xCA        array of int: varint length | signed varint for each
 *           0xCB        array of long: the same
 *           0xCC        array of double: varint length | 8 bytes for each, little endian
 *           0xCD        array of strings: varint length | value for each, which is a string or NULL
 *
 * text      bytes of UTF-8
 * bytes     varint length | so many bytes
 * </pre>
 *
 * <p>Strings are UTF-8 except where that would lose something: a Java string with half a surrogate pair is written as its
 * characters, because a replay must give the procedure the very string that it had.
 */
final class CommandFormat {
    static final int LEAST_SMALL = -16;
    static final int MOST_SMALL = 111;
    static final int SHORT_STRING = 0x80;
    static final int MOST_SHORT = 63;
    static final int NULL = 0xC0;
    static final int FALSE = 0xC1;
    static final int TRUE = 0xC2;
    static final int INTEGER = 0xC3;
    static final int DOUBLE = 0xC4;
    static final int DECIMAL = 0xC5;
    static final int LARGE_DECIMAL = 0xC6;
    static final int STRING = 0xC7;
    static final int UTF_16 = 0xC8;
    static final int BINARY = 0xC9;
    static final int INTS = 0xCA;
    static final int LONGS = 0xCB;
    static final int DOUBLES = 0xCC;
    static final int STRINGS = 0xCD;

    private CommandFormat() {}
}
