package io.reprise.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Immutable values by key, for sharing between their users. A value stays while it is used; the last few that were asked for
 * stay longer. Any thread.
 */
public final class SharedValues<K, V> {
    private final Map<K, Known<K, V>> known = new HashMap<>();
    private final ReferenceQueue<V> collected = new ReferenceQueue<>();
    private final LinkedHashMap<K, V> recent;

    /** An empty set of values that keeps so many unused ones. */
    public SharedValues(int unused) {
        recent = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > unused;
            }
        };
    }

    /** A value that the garbage collector may take when it is not used. */
    private static final class Known<K, V> extends WeakReference<V> {
        private final K key;

        Known(K key, V value, ReferenceQueue<V> collected) {
            super(value, collected);
            this.key = key;
        }
    }

    /** The value of a key, or null. */
    public synchronized V find(K key) {
        Known<K, V> reference = known.get(key);
        V value = reference == null ? null : reference.get();
        if (value != null) {
            recent.put(key, value);
        }
        return value;
    }

    /** Adds a value; returns it, or the one that another thread has added before. */
    public synchronized V add(K key, V value) {
        forgetCollected();
        V earlier = find(key);
        if (earlier != null) {
            return earlier;
        }
        known.put(key, new Known<>(key, value, collected));
        recent.put(key, value);
        return value;
    }

    private void forgetCollected() {
        for (Object next = collected.poll(); next != null; next = collected.poll()) {
            Known<?, ?> reference = (Known<?, ?>) next;
            known.remove(reference.key, reference);
        }
    }

    /** The number of keys. */
    synchronized int size() {
        forgetCollected();
        return known.size();
    }
}
