package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A rule with a slip of the pen would allow what it means to refuse, so each name in the rules must exist. */
final class JdkRulesTest {
    @Test
    void shouldNameClassesThatExist() throws ClassNotFoundException {
        for (String name : JdkRules.CLASSES) {
            assertThat(Class.forName(name)).isNotNull();
        }
    }

    @Test
    void shouldNameMembersThatExist() throws ClassNotFoundException {
        for (String className : JdkRules.DENIED.keySet()) {
            assertThat(members(Class.forName(className)))
                    .as(className)
                    .containsAll(JdkRules.DENIED.get(className).keySet());
        }
        for (String className : JdkRules.ONLY.keySet()) {
            assertThat(members(Class.forName(className))).as(className).containsAll(JdkRules.ONLY.get(className));
        }
    }

    @Test
    void shouldKnowMembersByNameAndByParameters() {
        assertThat(JdkRules.refusal("java.lang.String", "toUpperCase", "()")).isPresent();
        assertThat(JdkRules.refusal("java.lang.String", "toUpperCase", "(Ljava/util/Locale;)"))
                .isEmpty();
        assertThat(JdkRules.refusal("java.util.Map", "of", "(Ljava/lang/Object;Ljava/lang/Object;)"))
                .isPresent();
        assertThat(JdkRules.refusal("java.util.Map$Entry", "getKey", "()")).isEmpty();
        assertThat(JdkRules.refusal("java.util.ConcurrentModificationException", "getMessage", "()"))
                .isEmpty();
        assertThat(JdkRules.refusal("java.lang.System$Logger", "log", "()")).isPresent();
        assertThat(JdkRules.refusal("sun.misc.Unsafe", "getUnsafe", "()")).hasValue(JdkAdvice.REFLECTION);
        assertThat(JdkRules.refusal("javax.crypto.Cipher", "getInstance", "()")).isPresent();
    }

    /** Names, with and without the descriptor of the parameters. */
    private static Set<String> members(Class<?> type) {
        Set<String> names = new HashSet<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                add(names, method.getName(), method);
            }
            Arrays.stream(at.getDeclaredFields()).map(Field::getName).forEach(names::add);
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            add(names, "<init>", constructor);
        }
        return names;
    }

    private static void add(Set<String> names, String name, Executable executable) {
        StringBuilder parameters = new StringBuilder("(");
        Arrays.stream(executable.getParameterTypes())
                .map(Class::descriptorString)
                .forEach(parameters::append);
        names.add(name);
        names.add(name + parameters + ")");
    }
}
