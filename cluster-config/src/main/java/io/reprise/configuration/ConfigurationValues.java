package io.reprise.configuration;

import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The values of a configuration by their keys, as the file has these: {@code engine.slowAfter}. */
public final class ConfigurationValues {
    private ConfigurationValues() {}

    /** All values. An optional section that is not there has none. */
    public static SortedMap<String, Object> of(NodeConfiguration configuration) {
        SortedMap<String, Object> values = new TreeMap<>();
        add(values, "", configuration);
        return values;
    }

    private static void add(SortedMap<String, Object> values, String prefix, Record section) {
        for (RecordComponent component : section.getClass().getRecordComponents()) {
            Object value = value(section, component);
            if (value instanceof Optional<?> optional) {
                value = optional.orElse(null);
            }
            if (value instanceof Record inner) {
                add(values, prefix + component.getName() + '.', inner);
            } else if (value != null) {
                values.put(prefix + component.getName(), value);
            }
        }
    }

    private static Object value(Record section, RecordComponent component) {
        try {
            return component.getAccessor().invoke(section);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the key " + component.getName() + " can't be read", e);
        }
    }
}
