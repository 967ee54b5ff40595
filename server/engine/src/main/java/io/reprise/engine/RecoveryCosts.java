package io.reprise.engine;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code recovery.costs}: the costs that the node has learnt from its recoveries ({@link RecoveryModel}).
 *
 * <pre>
 *  The time of recoveries on this machine, for forecasts. The file may be removed.
 *  NUMBER NUMBER ...     number of recoveries; 5 constants in seconds; 25 covariances
 *  89abcdef              CRC32C of the line before
 * </pre>
 *
 * <p>Nothing depends on it but forecasts. A file that is missing or damaged is begun anew, and one that can't be written is written another time.
 */
final class RecoveryCosts {
    static final String FILE = "recovery.costs";

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final String DRAFT = FILE + ".new";
    private static final String HEAD =
            "The time of recoveries on this machine, for forecasts. The file may be removed.";
    private static final int MOST_BYTES = 4096;

    private RecoveryCosts() {}

    /** Reads the file. */
    static RecoveryModel read(FileStore files) {
        if (!files.exists(FILE)) {
            return new RecoveryModel();
        }
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        try (DataFile file = files.openReadOnly(FILE)) {
            file.read(0, bytes);
        } catch (StorageException e) {
            LOG.warn("The times of former recoveries can't be read, so forecasts begin anew: {}", e.getMessage());
            return new RecoveryModel();
        }
        String[] lines = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1).split("\n", -1);
        if (lines.length != 4 || !lines[0].equals(HEAD) || !lines[2].equals(checksum(lines[1]))) {
            LOG.warn("The file {} is damaged, so forecasts begin anew", FILE);
            return new RecoveryModel();
        }
        try {
            return RecoveryModel.decode(Arrays.stream(lines[1].split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray());
        } catch (NumberFormatException e) {
            return new RecoveryModel();
        }
    }

    /** Writes the file. */
    static void write(FileStore files, RecoveryModel model) {
        String numbers =
                Arrays.stream(model.encode()).mapToObj(Double::toString).collect(Collectors.joining(" "));
        String text = String.join("\n", HEAD, numbers, checksum(numbers), "");
        try {
            if (files.exists(DRAFT)) {
                files.delete(DRAFT);
            }
            try (DataFile file = files.create(DRAFT)) {
                file.write(0, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
                file.force();
            }
            files.rename(DRAFT, FILE);
        } catch (ForceFailedException e) {
            // A disk that does not confirm this may not confirm the log either.
            throw e;
        } catch (StorageException e) {
            LOG.warn("The time of this recovery is not kept for forecasts: {}", e.getMessage());
        }
    }

    private static String checksum(String line) {
        CRC32C crc = new CRC32C();
        crc.update(line.getBytes(StandardCharsets.ISO_8859_1));
        return String.format("%08x", crc.getValue());
    }
}
