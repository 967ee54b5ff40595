package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import java.lang.reflect.MalformedParameterizedTypeException;
import java.lang.reflect.MalformedParametersException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Deploys procedures from classes: scans them ({@link DeterminismScanner}), weaves them ({@link LoopWeaver}) and loads
 * them in a class loader of their own. Procedures loaded by one loader share their classes; the next version of a
 * procedure is loaded by another one, while transactions of the version before may still be under way, and the old
 * classes are unloaded when no object refers to them.
 *
 * <p>The class loader is the lock, because a partition's thread may load a class while another procedure is deployed.
 */
public final class ProcedureLoader {
    private final ProcedureClasses classes;
    private final ProcedureClassLoader loader;
    private final boolean accepted;
    private final Set<String> reachedByAll = new TreeSet<>();
    private int invokers;

    ProcedureLoader(ClassSource source) {
        this(source, false);
    }

    private ProcedureLoader(ClassSource source, boolean accepted) {
        this.accepted = accepted;
        this.classes = new ProcedureClasses(source);
        this.loader = new ProcedureClassLoader(classes);
    }

    /** For the classes of a jar. */
    public static ProcedureLoader ofJar(byte[] jar) {
        return new ProcedureLoader(ClassSource.jar(jar));
    }

    /**
     * For class files by class name, as {@link #classFiles} gave them when they were deployed. Nothing is refused that was
     * accepted then: the database has run it, and can't be opened without it, whatever is known by now of what a procedure
     * may do.
     */
    public static ProcedureLoader ofClassFiles(Map<String, byte[]> classFiles) {
        Map<String, byte[]> copy = Map.copyOf(classFiles);
        return new ProcedureLoader(className -> Optional.ofNullable(copy.get(className)), true);
    }

    /** For classes that another loader has too, such as those on the class path; their files are read again. */
    public static ProcedureLoader ofClasses(ClassLoader source) {
        return new ProcedureLoader(ClassSource.loader(source));
    }

    /** Whether this loader's source has the class. */
    public boolean has(String className) {
        synchronized (loader) {
            return classes.model(className).isPresent();
        }
    }

    /** Deploys a class; an error says what is wrong with it, naming class, method and line. */
    public DeployedProcedure load(String name, String className) {
        synchronized (loader) {
            try {
                return deploy(name, className);
            } catch (RuntimeException e) {
                throw classes.failure(className, e);
            }
        }
    }

    /**
     * Runs the static initialisers of all that the procedures loaded so far reach. Left to the transactions, they would run in
     * whichever comes first: two partitions' threads could wait for each other for ever where two classes need each other, and
     * a class whose initialiser ran out of time or stack would be of no use any more.
     */
    void initialise() {
        List<String> reached;
        synchronized (loader) {
            reached = List.copyOf(reachedByAll);
        }
        for (String className : reached) {
            try {
                Class.forName(className, true, loader);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("a class is gone that was loaded before", e);
            } catch (LinkageError e) {
                if (!accepted) {
                    throw e;
                }
            }
        }
    }

    /** The names of the classes that a jar holds. */
    public static Set<String> classNamesOf(byte[] jar) {
        return ClassSource.classes(jar).keySet();
    }

    /**
     * The class files, by class name, with which {@link #ofClassFiles} loads what this has loaded so far: all that the
     * procedures reach, and what these classes name.
     */
    public SortedMap<String, byte[]> classFiles() {
        synchronized (loader) {
            try {
                return classes.files(reachedByAll);
            } catch (RuntimeException e) {
                throw classes.failure(String.join(", ", reachedByAll), e);
            }
        }
    }

    private DeployedProcedure deploy(String name, String className) {
        if (classes.model(className).isEmpty()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "procedure " + name + " can't be deployed: there is no class " + className);
        }
        DeterminismScanner scanner = new DeterminismScanner(classes);
        Set<String> reached = accepted ? scanner.reachedFrom(className) : scanner.check(name, className);
        loader.know(reached);
        try {
            Class<?> type = loader.loadClass(className);
            // Now rather than in the middle of a transaction.
            for (String helper : reached) {
                loader.loadClass(helper);
            }
            ProcedureSignature signature = ProcedureSignature.of(name, type);
            Invoker invoker = invoker(className, signature, scanner.changedArguments());
            // Others that are loaded with it don't need what was refused.
            reachedByAll.addAll(reached);
            return new DeployedProcedure(name, className, signature, invoker, this);
        } catch (ClassFormatError
                | VerifyError
                | MalformedParametersException
                | MalformedParameterizedTypeException e) {
            // The reader of the code knows nothing of the parts that reflection reads besides.
            throw ClassDamage.refusalBy(className, e);
        } catch (ReflectiveOperationException | LinkageError | IllegalArgumentException e) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "procedure " + name + " can't be deployed: class " + className + " can't be loaded: " + e);
        }
    }

    /** The class files that a procedure of this class would be deployed with now; whether it may be is judged when it is. */
    public static SortedMap<String, byte[]> classFilesOf(Class<?> type) {
        ProcedureClasses classes = new ProcedureClasses(ClassSource.loader(type.getClassLoader()));
        try {
            return classes.files(new DeterminismScanner(classes).reachedFrom(type.getName()));
        } catch (RuntimeException e) {
            throw classes.failure(type.getName(), e);
        }
    }

    /** Deploys a class, for which another version of it (that of the class path) stands. */
    public static DeployedProcedure load(String name, Class<? extends Procedure> type) {
        return ofClasses(type.getClassLoader()).load(name, type.getName());
    }

    /** The place in the procedures' own code of an exception: class, method and line. */
    public static Optional<String> lineOf(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .filter(frame -> ProcedureClassLoader.NAME.equals(frame.getClassLoaderName()))
                .map(frame -> frame.toString().substring(frame.toString().lastIndexOf('/') + 1))
                .findFirst();
    }

    private Invoker invoker(String className, ProcedureSignature signature, ChangedArguments changed)
            throws ReflectiveOperationException {
        String invokerName = className + "$$Invoker" + invokers++;
        byte[] bytes = InvokerGenerator.generate(invokerName, className, signature, changed);
        return (Invoker) loader.define(invokerName, bytes).getConstructor().newInstance();
    }
}
