package io.reprise.engine;

/**
 * The place of a record in the log.
 *
 * @param frame the log position of its frame
 * @param record its index in the frame; -1 for the place before all of them
 */
public record LogPlace(long frame, int record) implements Comparable<LogPlace> {
    /** Reads what {@link #toString} writes, as in {@code 0x4000#3}; the index may be missing. */
    public static LogPlace parse(String text) {
        int hash = text.indexOf('#');
        try {
            return hash < 0
                    ? new LogPlace(Long.decode(text), -1)
                    : new LogPlace(Long.decode(text.substring(0, hash)), Integer.parseInt(text.substring(hash + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a place in the log is written as in 0x4000#3, not " + text, e);
        }
    }

    @Override
    public int compareTo(LogPlace other) {
        int frames = Long.compare(frame, other.frame);
        return frames != 0 ? frames : Integer.compare(record, other.record);
    }

    @Override
    public String toString() {
        return "0x" + Long.toHexString(frame) + (record < 0 ? "" : "#" + record);
    }
}
