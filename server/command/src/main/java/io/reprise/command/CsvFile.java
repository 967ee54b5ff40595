package io.reprise.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A CSV file in UTF-8. Its first line has the names of the columns, unless they are given. */
final class CsvFile implements LoadFile {
    private final CountingStream bytes;
    private final long size;
    private final List<String> names;
    private final CsvSource records;

    private CsvFile(CountingStream bytes, long size, List<String> names, CsvReader csv) {
        this.bytes = bytes;
        this.size = size;
        this.names = names;
        records = new CsvSource(csv, names.size());
    }

    /**
     * Reads the first line of an open file, if it has the names. A failure closes the stream.
     *
     * @param file for messages
     * @param given the names of the columns; null: the first line has them
     */
    static CsvFile open(InputStream in, Path file, long size, char separator, List<String> given) throws IOException {
        CountingStream bytes = new CountingStream(in);
        try {
            CsvReader csv = new CsvReader(new InputStreamReader(bytes, strictly()), separator);
            List<String> names = given == null ? firstLine(csv, file) : given;
            if (csv.malformed()) {
                throw new IllegalArgumentException("nothing was loaded, because in the first line of " + file
                        + " something stands behind a name's closing quotation mark");
            }
            if (names == null) {
                throw new IllegalArgumentException(file + " is empty; its first line should have the columns' names");
            }
            return new CsvFile(bytes, size, names, csv);
        } catch (IOException | RuntimeException failure) {
            bytes.close();
            throw failure;
        }
    }

    private static List<String> firstLine(CsvReader csv, Path file) throws IOException {
        try {
            return csv.read();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "nothing was loaded, because the beginning of " + file
                            + " is not in UTF-8; convert it, as by iconv -f LATIN1 -t UTF-8",
                    e);
        }
    }

    /** A decoder that fails, instead of loading question marks. */
    private static CharsetDecoder strictly() {
        return StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public LoadSource records() {
        return records;
    }

    @Override
    public long position() {
        return bytes.count();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
