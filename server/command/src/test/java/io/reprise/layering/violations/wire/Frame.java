package io.reprise.layering.violations.wire;

/** Something that only the network should know. */
public final class Frame {
    private Frame() {}
}
