package io.reprise.runtime.file;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Identifies the program that runs, for files that only the same program may read. The identity of a jar is its size and the checksum of
 * its directory, which has the checksums of its classes. A folder of classes is identified by the number, sizes and times of its files.
 */
public final class ProgramFiles {
    private static final int END = 22;
    private static final int END_MAGIC = 0x06054b50;
    private static final int DIRECTORY_BYTES_AT = 12;
    private static final int DIRECTORY_AT = 16;

    private ProgramFiles() {}

    /** The identity of the JVM and of the programs that these classes are from; empty if it can't be found out. */
    public static Optional<String> identity(Class<?>... types) {
        StringBuilder identity = new StringBuilder(Runtime.version().toString());
        for (Class<?> type : types) {
            try {
                CodeSource source = type.getProtectionDomain().getCodeSource();
                Path path = Path.of(source.getLocation().toURI());
                identity.append(' ').append(Files.isDirectory(path) ? ofFolder(path) : ofJar(path));
            } catch (IOException | URISyntaxException | RuntimeException e) {
                return Optional.empty();
            }
        }
        return Optional.of(identity.toString());
    }

    private static String ofJar(Path path) throws IOException {
        try (FileChannel jar = FileChannel.open(path)) {
            ByteBuffer end = read(jar, jar.size() - END, END);
            if (end.getInt(0) != END_MAGIC) {
                throw new IOException("the directory of " + path + " is not at its end");
            }
            ByteBuffer directory =
                    read(jar, Integer.toUnsignedLong(end.getInt(DIRECTORY_AT)), end.getInt(DIRECTORY_BYTES_AT));
            CRC32C crc = new CRC32C();
            crc.update(directory);
            return path.getFileName() + ":" + jar.size() + ":" + Long.toHexString(crc.getValue());
        }
    }

    private static ByteBuffer read(FileChannel file, long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, at + buffer.position()) < 0) {
                throw new IOException("the file ends early");
            }
        }
        return buffer.flip();
    }

    private static String ofFolder(Path path) throws IOException {
        CRC32C crc = new CRC32C();
        long count = 0;
        try (Stream<Path> files = Files.walk(path).filter(Files::isRegularFile).sorted()) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String entry = path.relativize(file) + ":" + Files.size(file) + ":"
                        + Files.getLastModifiedTime(file).toMillis();
                crc.update(entry.getBytes(java.nio.charset.StandardCharsets.UTF_8));
                count++;
            }
        }
        return count + ":" + Long.toHexString(crc.getValue());
    }
}
