package io.reprise.benchmark.drive;

/**
 * One of several drivers of a workload, each a process of its own.
 *
 * @param part from 0
 * @param parts number of drivers
 */
record DriverShare(int part, int parts) {
    /** The only driver. */
    static final DriverShare WHOLE = new DriverShare(0, 1);

    private static final int MOST = 1_000;

    DriverShare {
        if (part < 0 || part >= parts || parts > MOST) {
            throw new IllegalArgumentException("a driver is one of at most " + MOST
                    + ", as 2/3 is the second of three; " + (part + 1) + "/" + parts + " is none");
        }
    }

    /** Reads {@code 2/3}. */
    static DriverShare parse(String text) {
        String[] numbers = text.split("/", -1);
        try {
            if (numbers.length == 2) {
                return new DriverShare(Integer.parseInt(numbers[0]) - 1, Integer.parseInt(numbers[1]));
            }
        } catch (NumberFormatException none) {
            // The message below says what it should be.
        }
        throw new IllegalArgumentException("a driver is named as 2/3, the second of three, not '" + text + "'");
    }

    /** Whether this driver prepares what only one can prepare. */
    boolean isFirst() {
        return part == 0;
    }

    boolean isAlone() {
        return parts == 1;
    }
}
