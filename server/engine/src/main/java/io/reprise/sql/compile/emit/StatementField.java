package io.reprise.sql.compile.emit;

import io.reprise.storage.PartitionStore;
import java.lang.constant.ClassDesc;
import java.util.function.Function;

/**
 * A final field of a generated class, set by its constructor.
 *
 * @param initial makes the content for an instance that runs in the given partition
 */
public record StatementField(String name, Class<?> type, Function<PartitionStore, ?> initial) {
    public ClassDesc descriptor() {
        return Code.descriptor(type);
    }
}
