package io.reprise.execution.deploy;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import java.util.Set;

/**
 * Loads one version of procedures: their own classes anew and woven, the JDK and the procedure API from where the server
 * has them, and nothing else of the server, so that two versions never meet and no procedure reaches into the engine.
 *
 * <p>A partition's thread may be the first to need a class. The loader itself is the one lock (it is not parallel
 * capable), which {@link ProcedureLoader} takes too; nothing else is waited for under it.
 */
final class ProcedureClassLoader extends ClassLoader {
    /** The loader's name, by which a stack trace tells the procedures' own code from all other. */
    static final String NAME = "procedures";

    /** The classes that generated invokers need. */
    private static final Set<String> ENGINE_CLASSES =
            Set.of(Invoker.class.getName(), Arguments.class.getName(), ResultSink.class.getName());

    private final ProcedureClasses classes;
    private final LoopWeaver weaver;

    ProcedureClassLoader(ProcedureClasses classes) {
        super(NAME, Procedure.class.getClassLoader());
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
        synchronized (this) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] woven;
        try {
            woven = classes.model(name).map(weaver::weave).orElseThrow(() -> new ClassNotFoundException(name));
        } catch (RuntimeException e) {
            if (classes.failure(name, e) instanceof ProcedureException damaged) {
                // Callers that make the JVM load a class know the JVM's own exception.
                throw (ClassFormatError) new ClassFormatError(damaged.getMessage()).initCause(damaged);
            }
            throw e;
        }
        return defineClass(name, woven, 0, woven.length);
    }

    /** Takes in what a procedure reaches, before any of it is loaded. */
    void know(Set<String> reached) {
        weaver.know(reached);
    }

    /** Defines a generated class. */
    Class<?> define(String name, byte[] bytes) {
        return defineClass(name, bytes, 0, bytes.length);
    }
}
