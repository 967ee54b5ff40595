package io.reprise.recovery.run;

import io.reprise.snapshot.file.Manifest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a stretch of log by bucket. A command with an image is a data record here. Its files have the form of a snapshot's, with two tables: records of one bucket, and, replicated,
 * those of several or none. A row's number is that of its record in the run; the image is the position of the record's frame, 8 bytes, and
 * a copy of the record. The manifest's attachment says:
 *
 * <pre>
 *   0  4  format, 3                              36  4  number of images of commands among the records
 *   4  8  position of the stretch's beginning    40  8  position of the last frame that concerns all rows; -1: none
 *  12  8  position of its end                    48  8  position of the last frame with records; -1: none
 *  20  8  highest transaction id                 56  8  id of that frame's first transaction
 *  28  4  number of records                      64  4  number of versions of procedures, then 8 bytes each
 *  32  4  number of commands among them              4  number of statements, then length, 4, and UTF-8 of each
 * </pre>
 *
 * <p>Little endian. Outcomes of numbered calls of the stretch stand in the manifest's place for outcomes.
 *
 * @param commands the number of records that have to be run again
 * @param images the number of data records that the log has as commands
 * @param unfit the frame's position: a change of the schema, for example
 * @param lastFrame by which the log is known to be the one that the run was made of
 * @param lastFrameId the id of its first transaction
 * @param versions of the procedures that commands call
 * @param statements of commands without a procedure
 */
public record LogRun(
        long begin,
        long end,
        long lastId,
        int records,
        int commands,
        int images,
        long unfit,
        long lastFrame,
        long lastFrameId,
        List<Long> versions,
        List<String> statements,
        Manifest manifest) {
    /** The bits of a run's number that have its level. */
    private static final int LEVEL_BITS = 2;

    static final int SINGLE = 1;
    static final int SHARED = 2;
    private static final int FORMAT = 3;
    private static final int FIXED = 64;

    /** The number by which a run is found: its end, and its level below that. */
    static long id(long end, int level) {
        return end << LEVEL_BITS | level;
    }

    /** The end of the run that has a number. */
    static long end(long id) {
        return id >>> LEVEL_BITS;
    }

    /** The number by which it is found, as its folder is called. */
    public long id() {
        return manifest.identity().transactionId();
    }

    /** 0 for a run of the log; a merge of runs has the next level. */
    public int level() {
        return (int) id() & (1 << LEVEL_BITS) - 1;
    }

    /** Whether its records can be applied one by one to each bucket, without running anything. */
    public boolean isData() {
        return commands == 0 && unfit < 0;
    }

    /** Reads what the manifest says; throws {@link IllegalArgumentException} if that is no run. */
    static LogRun of(Manifest manifest) {
        ByteBuffer in = ByteBuffer.wrap(manifest.origin().attachment()).order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < FIXED || in.getInt() != FORMAT) {
            throw new IllegalArgumentException("it is no run of the log, or one of another format");
        }
        long begin = in.getLong();
        long end = in.getLong();
        long lastId = in.getLong();
        int records = in.getInt();
        int commands = in.getInt();
        int images = in.getInt();
        long unfit = in.getLong();
        long lastFrame = in.getLong();
        long lastFrameId = in.getLong();
        List<Long> versions = new ArrayList<>();
        for (int i = in.getInt(); i > 0; i--) {
            versions.add(in.getLong());
        }
        List<String> statements = new ArrayList<>();
        for (int i = in.getInt(); i > 0; i--) {
            byte[] text = new byte[in.getInt()];
            in.get(text);
            statements.add(new String(text, StandardCharsets.UTF_8));
        }
        return new LogRun(
                begin,
                end,
                lastId,
                records,
                commands,
                images,
                unfit,
                lastFrame,
                lastFrameId,
                versions,
                statements,
                manifest);
    }

    static byte[] attachment(
            long begin,
            long end,
            long lastId,
            int records,
            int commands,
            int images,
            long unfit,
            long lastFrame,
            long lastFrameId,
            Iterable<Long> versions,
            Iterable<String> statements) {
        List<byte[]> texts = new ArrayList<>();
        int bytes = FIXED + 2 * Integer.BYTES;
        for (String statement : statements) {
            byte[] text = statement.getBytes(StandardCharsets.UTF_8);
            texts.add(text);
            bytes += Integer.BYTES + text.length;
        }
        int count = 0;
        for (long _ : versions) {
            count++;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes + count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(FORMAT)
                .putLong(begin)
                .putLong(end)
                .putLong(lastId)
                .putInt(records)
                .putInt(commands)
                .putInt(images)
                .putLong(unfit)
                .putLong(lastFrame)
                .putLong(lastFrameId);
        out.putInt(count);
        for (long version : versions) {
            out.putLong(version);
        }
        out.putInt(texts.size());
        for (byte[] text : texts) {
            out.putInt(text.length).put(text);
        }
        return out.array();
    }
}
