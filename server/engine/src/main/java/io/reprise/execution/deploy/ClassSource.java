package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;

/** A source of the class files of procedures. */
@FunctionalInterface
interface ClassSource {
    /** The class file of the class with this binary name (dots); empty where the source does not have it. */
    Optional<byte[]> bytes(String className);

    /** The classes of a jar, which is read at once. */
    static ClassSource jar(byte[] jar) {
        Map<String, byte[]> classes = classes(jar);
        return className -> Optional.ofNullable(classes.get(className));
    }

    /** The class files of a jar, by class name. */
    static Map<String, byte[]> classes(byte[] jar) {
        Map<String, byte[]> classes = new HashMap<>();
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar), false)) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                String name = entry.getName();
                if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
                    String className =
                            name.substring(0, name.length() - ".class".length()).replace('/', '.');
                    classes.put(className, in.readAllBytes());
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new ProcedureException(ErrorCode.INVALID_REQUEST, "the jar can't be read: " + e.getMessage());
        }
        if (classes.isEmpty()) {
            throw new ProcedureException(ErrorCode.INVALID_REQUEST, "the jar holds no classes, or is not a jar at all");
        }
        return classes;
    }

    /** The classes that a class loader finds, read again as files. */
    static ClassSource loader(ClassLoader loader) {
        return className -> {
            try (InputStream in = loader.getResourceAsStream(className.replace('.', '/') + ".class")) {
                return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
            } catch (IOException e) {
                throw new ProcedureException(
                        ErrorCode.INVALID_REQUEST, "class " + className + " can't be read: " + e.getMessage());
            }
        };
    }
}
