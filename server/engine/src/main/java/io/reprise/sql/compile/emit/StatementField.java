package io.reprise.sql.compile.emit;

import io.reprise.sql.compile.runtime.FieldContent;
import java.lang.constant.ClassDesc;
import java.util.function.Supplier;

/**
 * A final field of a generated class, set by its constructor.
 *
 * @param contents gives the content when the class is complete
 */
public record StatementField(String name, Class<?> type, Supplier<FieldContent> contents) {
    /** The content. The class is complete. */
    public FieldContent content() {
        return contents.get();
    }

    public ClassDesc descriptor() {
        return Code.descriptor(type);
    }
}
