package io.reprise.execution.deploy;

import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The supertypes in the JDK of an own class. The JDK may call the methods that they declare and that can be overridden.
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

    /** Whether a class, of the JDK or an own one, has a type of the JDK among its supertypes. */
    static boolean isA(String className, Class<?> type, ProcedureClasses classes) {
        if (ProcedureClasses.isJdk(className)) {
            Class<?> known = JdkMembers.load(className);
            return known != null && type.isAssignableFrom(known);
        }
        return classes.model(className)
                .map(model -> parents(model).anyMatch(parent -> isA(parent, type, classes)))
                .orElse(false);
    }

    private static Stream<String> parents(ClassModel model) {
        return Stream.concat(model.superclass().stream(), model.interfaces().stream())
                .map(ClassEntry::asInternalName)
                .map(name -> name.replace('/', '.'));
    }

    private static void addSupertypes(ClassModel model, ProcedureClasses classes, Set<String> names) {
        parents(model).forEach(name -> {
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
