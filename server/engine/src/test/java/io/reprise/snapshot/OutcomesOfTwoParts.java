package io.reprise.snapshot;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A partition's memory of calls: its number, and the number of snapshots it has been asked for. */
final class OutcomesOfTwoParts implements SweptOutcomes {
    private final byte partition;
    private byte snapshots;
    private final List<ByteBuffer> parts = new ArrayList<>();

    OutcomesOfTwoParts(int partition) {
        this.partition = (byte) partition;
    }

    @Override
    public void begin() {
        parts.clear();
        snapshots++;
    }

    @Override
    public boolean sweep() {
        parts.add(ByteBuffer.wrap(new byte[] {parts.isEmpty() ? partition : snapshots}));
        return parts.size() < 2;
    }

    @Override
    public List<ByteBuffer> end() {
        return List.copyOf(parts);
    }

    @Override
    public void giveUp() {
        parts.clear();
    }
}
