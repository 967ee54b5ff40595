package io.reprise.execution.deploy;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The declaring class of a member of the JDK's. A call may name any subclass that has inherited the member: {@code
 * LinkedHashMap.newHashMap} makes a HashMap, and {@code RoundingMode.UP.hashCode()} is Enum's.
 */
final class JdkMembers {
    private JdkMembers() {}

    /**
     * A member's declaration.
     *
     * @param className the class that declares it
     * @param isStatic whether it can be had without an object
     */
    record Declared(String className, boolean isStatic) {}

    /**
     * The declaration of the member, in the class or a superclass; empty if neither has it.
     *
     * @param parameters the descriptor of a method's parameters in parentheses, or empty for a field
     */
    static Optional<Declared> declared(String className, String member, String parameters) {
        for (Class<?> type = load(className); type != null; type = type.getSuperclass()) {
            Stream<? extends Member> members = parameters.isEmpty()
                    ? Arrays.stream(type.getDeclaredFields()).filter(field -> isField(field, member))
                    : Arrays.stream(type.getDeclaredMethods()).filter(method -> isMethod(method, member, parameters));
            Optional<? extends Member> found = members.findFirst();
            if (found.isPresent()) {
                return Optional.of(new Declared(
                        type.getName(), Modifier.isStatic(found.get().getModifiers())));
            }
        }
        return Optional.empty();
    }

    private static boolean isField(Field field, String name) {
        return field.getName().equals(name);
    }

    private static boolean isMethod(Method method, String name, String parameters) {
        if (!method.getName().equals(name)) {
            return false;
        }
        StringBuilder descriptor = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            descriptor.append(parameter.descriptorString());
        }
        return descriptor.append(')').toString().equals(parameters);
    }

    /** The JDK's class; null if there is none of this name, which is found out when the own class is loaded. */
    static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
