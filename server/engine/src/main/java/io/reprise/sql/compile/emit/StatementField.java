package io.reprise.sql.compile.emit;

import io.reprise.sql.compile.runtime.FieldContent;
import java.lang.constant.ClassDesc;

/** A final field of a generated class, set by its constructor. */
public record StatementField(String name, Class<?> type, FieldContent content) {
    public ClassDesc descriptor() {
        return Code.descriptor(type);
    }
}
