package io.reprise.wire;

/** Arguments on which the encoding of a call fails half-way, as it does when there is no memory left. */
public final class TornArguments {
    private static final int MORE_THAN_THERE_ARE = 4_096;

    private TornArguments() {}

    public static ArgumentWriter make() {
        ArgumentWriter torn = new ArgumentWriter();
        torn.bytes().truncate(MORE_THAN_THERE_ARE);
        return torn;
    }
}
