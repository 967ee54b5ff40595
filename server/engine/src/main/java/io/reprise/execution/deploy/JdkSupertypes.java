package io.reprise.execution.deploy;

import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The methods of an own class that the JDK may call: those that its supertypes in the JDK declare and that can be
 * overridden.
 */
final class JdkSupertypes {
    private JdkSupertypes() {}

    /** The names of these methods. */
    static Set<String> of(ClassModel model, ProcedureClasses classes) {
        Set<String> names = new HashSet<>();
        add(Object.class, names);
        addSupertypes(model, classes, names);
        return names;
    }

    private static void addSupertypes(ClassModel model, ProcedureClasses classes, Set<String> names) {
        Stream.concat(model.superclass().stream(), model.interfaces().stream())
                .map(ClassEntry::asInternalName)
                .map(name -> name.replace('/', '.'))
                .forEach(name -> {
                    if (ProcedureClasses.isJdk(name)) {
                        add(JdkMembers.load(name), names);
                    } else {
                        classes.model(name).ifPresent(own -> addSupertypes(own, classes, names));
                    }
                });
    }

    private static void add(Class<?> type, Set<String> names) {
        if (type == null) {
            return;
        }
        for (Method method : type.getDeclaredMethods()) {
            int modifiers = method.getModifiers();
            if (!Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers) && !Modifier.isPrivate(modifiers)) {
                names.add(method.getName());
            }
        }
        add(type.getSuperclass(), names);
        for (Class<?> parent : type.getInterfaces()) {
            add(parent, names);
        }
    }
}
