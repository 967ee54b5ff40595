package io.reprise.execution.deploy;

import io.reprise.procedure.Text;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.Set;

/**
 * What a procedure's code may change of its arguments. It gets copies of these, because what is logged of a call is what was passed.
 *
 * @param arrays arrays of which types, by what their elements are
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
