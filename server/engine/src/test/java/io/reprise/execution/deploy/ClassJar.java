package io.reprise.execution.deploy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Jars of classes, as they are deployed. */
public final class ClassJar {
    private ClassJar() {}

    /** Of class files, by the classes' names. */
    public static byte[] of(Map<String, byte[]> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                jar.putNextEntry(new JarEntry(file.getKey().replace('.', '/') + ".class"));
                jar.write(file.getValue());
                jar.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Of classes of the tests. */
    public static byte[] of(Class<?>... types) {
        return of(Arrays.asList(types));
    }

    /** The same. */
    public static byte[] of(List<Class<?>> types) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Class<?> type : types) {
            try (InputStream in =
                    type.getClassLoader().getResourceAsStream(type.getName().replace('.', '/') + ".class")) {
                files.put(type.getName(), in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return of(files);
    }
}
