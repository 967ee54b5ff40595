package io.reprise.execution.deploy;

import io.reprise.procedure.Procedure;
import java.util.Optional;
import java.util.Set;

/**
 * Loads one version of procedures: their own classes anew and woven, the JDK and the procedure API from where the server
 * has them, and nothing else of the server, so that two versions never meet and no procedure reaches into the engine.
 */
final class ProcedureClassLoader extends ClassLoader {
    /** What generated invokers need. */
    private static final Set<String> ENGINE_CLASSES =
            Set.of(Invoker.class.getName(), Arguments.class.getName(), ResultSink.class.getName());

    static {
        registerAsParallelCapable();
    }

    private final ProcedureClasses classes;
    private final LoopWeaver weaver;

    ProcedureClassLoader(ProcedureClasses classes) {
        super("procedures", Procedure.class.getClassLoader());
        this.classes = classes;
        this.weaver = new LoopWeaver(classes);
        // Whether assertions are checked must not depend on how a node was started.
        setDefaultAssertionStatus(true);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (ProcedureClasses.isJdk(name) || ProcedureClasses.isApi(name)) {
            return super.loadClass(name, resolve);
        }
        if (ENGINE_CLASSES.contains(name)) {
            return Class.forName(name, false, ProcedureClassLoader.class.getClassLoader());
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Optional<byte[]> woven;
        synchronized (classes) {
            woven = classes.model(name).map(weaver::weave);
        }
        byte[] bytes = woven.orElseThrow(() -> new ClassNotFoundException(name));
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** Defines a generated class. */
    Class<?> define(String name, byte[] bytes) {
        return defineClass(name, bytes, 0, bytes.length);
    }
}
