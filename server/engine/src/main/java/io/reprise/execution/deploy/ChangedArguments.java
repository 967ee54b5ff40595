package io.reprise.execution.deploy;

import io.reprise.procedure.Text;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.Set;

/**
 * The arguments that a procedure's code may change. It gets copies of these, because the log has the caller's values.
 *
 * @param arrays types of arrays, by their elements
 * @param texts whether it points texts at other bytes
 */
record ChangedArguments(Set<TypeKind> arrays, boolean texts) {
    ChangedArguments {
        arrays = Set.copyOf(arrays);
    }

    /** Whether an argument of this type may be changed. */
    boolean include(ClassDesc type) {
        return type.isArray()
                ? arrays.contains(TypeKind.from(type.componentType()))
                : texts && type.equals(ClassDesc.of(Text.class.getName()));
    }
}
