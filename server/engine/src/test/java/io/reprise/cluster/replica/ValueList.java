package io.reprise.cluster.replica;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A state that remembers each value and its index, and a hash over them at each length. */
final class ValueList extends WholeState {
    /** A value and the index of its record. */
    record Entry(long index, long value) {}

    private final List<Entry> entries = new ArrayList<>();
    private long hash;
    private boolean differs;
    private boolean full;
    private boolean patient;
    private boolean whole = true;

    /** No record fits from now on, until an image is loaded. */
    void differ() {
        differs = true;
    }

    /** Whether no record has room, also behind an image. */
    void full(boolean value) {
        full = value;
    }

    /** Whether a leader waits for followers that only live. */
    void patient(boolean value) {
        patient = value;
    }

    @Override
    public boolean isPatient() {
        return patient;
    }

    /** Whether all values are loaded. */
    void whole(boolean value) {
        whole = value;
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    @Override
    public boolean hasImage() {
        return whole;
    }

    static byte[] payload(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    @Override
    public void apply(long index, byte[] payload) {
        if (differs) {
            throw new DivergedReplicaException("record " + index + " meets other values", null);
        }
        if (full) {
            throw new DivergedReplicaException("record " + index + " has no room", null, true);
        }
        add(new Entry(index, ByteBuffer.wrap(payload).getLong()));
    }

    private void add(Entry entry) {
        entries.add(entry);
        hash = next(hash, entry);
    }

    static long next(long hash, Entry entry) {
        return (hash * 31 + entry.index) * 31 + entry.value;
    }

    @Override
    public byte[] image() {
        ByteBuffer out = ByteBuffer.allocate(16 * entries.size());
        entries.forEach(entry -> out.putLong(entry.index).putLong(entry.value));
        return out.array();
    }

    @Override
    public void load(byte[] image) {
        entries.clear();
        differs = false;
        hash = 0;
        ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(image, image.length));
        while (in.hasRemaining()) {
            add(new Entry(in.getLong(), in.getLong()));
        }
    }

    List<Entry> entries() {
        return entries;
    }

    int size() {
        return entries.size();
    }

    long hash() {
        return hash;
    }
}
