package io.reprise.engine;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The costs that a node has learnt from its recoveries, one {@link RecoveryModel} for each part. Immutable. They are kept in the file
 * {@code recovery.costs}:
 *
 * <pre>
 *  The time of recoveries on this machine, for forecasts. The file may be removed.
 *  NUMBER NUMBER ...     four lines, of a whole recovery, a first answer, a bucket, all buckets:
 *                        number of recoveries; 6 constants in seconds; 36 covariances
 *  89abcdef              CRC32C of the four lines with their ends
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
    private static final int MOST_BYTES = 1 << 14;
    private static final int PARTS = RecoveryModel.Part.values().length;

    private final List<RecoveryModel> models;

    private RecoveryCosts(List<RecoveryModel> models) {
        this.models = List.copyOf(models);
    }

    /** The costs of a usual machine. */
    static RecoveryCosts usual() {
        return new RecoveryCosts(Arrays.stream(RecoveryModel.Part.values())
                .map(RecoveryModel::new)
                .toList());
    }

    /** The model of a part. */
    RecoveryModel of(RecoveryModel.Part part) {
        return models.get(part.ordinal());
    }

    /** The expected time of a part. */
    long expectedNs(RecoveryModel.Part part, RecoveryWork work) {
        return of(part).expectedNs(work);
    }

    /** The same, with what a recovery has shown of a part. */
    RecoveryCosts learn(RecoveryModel.Part part, List<RecoveryModel.Sample> samples) {
        List<RecoveryModel> learnt = new ArrayList<>(models);
        learnt.set(part.ordinal(), of(part).learn(samples));
        return new RecoveryCosts(learnt);
    }

    /** Reads the file. */
    static RecoveryCosts read(FileStore files) {
        if (!files.exists(FILE)) {
            return usual();
        }
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        try (DataFile file = files.openReadOnly(FILE)) {
            file.read(0, bytes);
        } catch (StorageException e) {
            LOG.warn("The times of former recoveries can't be read, so forecasts begin anew: {}", e.getMessage());
            return usual();
        }
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
        List<String> lines = List.of(text.split("\n", -1));
        if (lines.size() != PARTS + 3
                || !lines.getFirst().equals(HEAD)
                || !lines.get(PARTS + 1).equals(checksum(lines.subList(1, PARTS + 1)))) {
            LOG.warn("The file {} is damaged, so forecasts begin anew", FILE);
            return usual();
        }
        try {
            return decode(lines.subList(1, PARTS + 1));
        } catch (NumberFormatException e) {
            return usual();
        }
    }

    private static RecoveryCosts decode(List<String> lines) {
        List<RecoveryModel> read = new ArrayList<>();
        for (RecoveryModel.Part part : RecoveryModel.Part.values()) {
            String[] numbers = lines.get(part.ordinal()).split(" ", -1);
            read.add(RecoveryModel.decode(
                    part,
                    Arrays.stream(numbers).mapToDouble(Double::parseDouble).toArray()));
        }
        return new RecoveryCosts(read);
    }

    /** Writes the file. */
    void write(FileStore files) {
        List<String> lines = models.stream()
                .map(model ->
                        Arrays.stream(model.encode()).mapToObj(Double::toString).collect(Collectors.joining(" ")))
                .toList();
        String text = HEAD + "\n" + joined(lines) + checksum(lines) + "\n";
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

    private static String joined(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private static String checksum(List<String> lines) {
        CRC32C crc = new CRC32C();
        crc.update(joined(lines).getBytes(StandardCharsets.ISO_8859_1));
        return String.format("%08x", crc.getValue());
    }
}
