package io.reprise.execution.deploy;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles Java text in memory into a jar, so that tests can deploy classes that are on no class path. */
public final class SourceCompiler {
    private SourceCompiler() {}

    /** Compiles sources, by binary class name, into the bytes of a jar. */
    public static byte[] jar(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Output output = new Output(compiler.getStandardFileManager(problems, null, null));
        List<Source> units = sources.entrySet().stream()
                .map(e -> new Source(e.getKey(), e.getValue()))
                .toList();
        List<String> options = List.of(
                "-parameters", "-g", "-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
        if (!compiler.getTask(null, output, problems, options, null, units).call()) {
            throw new IllegalArgumentException("test source does not compile: " + problems.getDiagnostics());
        }
        return output.jar();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();

        Output(StandardJavaFileManager manager) {
            super(manager);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            classes.put(className, bytes);
            return new SimpleJavaFileObject(URI.create("mem:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        byte[] jar() {
            Map<String, byte[]> files = new LinkedHashMap<>();
            classes.forEach((name, bytes) -> files.put(name, bytes.toByteArray()));
            return ClassJar.of(files);
        }
    }
}
