package io.reprise.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that is named on the command line. Messages have its name, which the system leaves out of some. Bytes that are no UTF-8 are
 * rejected, because they would be stored as other characters.
 */
final class GivenFile {
    /** Some editors begin files with it. */
    private static final String MARK = "\uFEFF";

    private GivenFile() {}

    /** All of it. */
    static byte[] bytes(Path file) throws IOException {
        checkKind(file);
        return Files.readAllBytes(file);
    }

    /** The same as text. */
    static String text(Path file) throws IOException {
        return text(bytes(file), file.toString());
    }

    /** Bytes as text; their origin is for the message. */
    static String text(byte[] bytes, String of) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith(MARK) ? text.substring(MARK.length()) : text;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(of + " is not in UTF-8; convert it, as by iconv -f LATIN1 -t UTF-8", e);
        }
    }

    /** For what is too long to be read at once. */
    static InputStream stream(Path file) throws IOException {
        checkKind(file);
        return Files.newInputStream(file);
    }

    private static void checkKind(Path file) {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + " is a folder; name a file");
        }
    }
}
