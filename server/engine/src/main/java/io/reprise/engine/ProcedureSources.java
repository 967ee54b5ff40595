package io.reprise.engine;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.execution.deploy.DeployedProcedure;
import io.reprise.execution.deploy.ProcedureLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The sources of procedure classes: jars, the latest first, then the class loaders of the application. Guarded by the
 * schema's lock.
 */
final class ProcedureSources {
    private final List<byte[]> jars = new ArrayList<>();
    private final List<ClassLoader> classLoaders;

    ProcedureSources(List<byte[]> jars, List<ClassLoader> classLoaders) {
        this.jars.addAll(needed(jars));
        this.classLoaders = List.copyOf(classLoaders);
    }

    private ProcedureSources(ProcedureSources others, byte[] jar) {
        this(Stream.concat(others.jars.stream(), Stream.of(jar)).toList(), others.classLoaders);
    }

    /**
     * Without the jars whose classes newer ones have, all of them: nothing is loaded from these any more, and every snapshot
     * would have all that were ever deployed.
     */
    private static List<byte[]> needed(List<byte[]> jars) {
        Set<String> inNewer = new HashSet<>();
        List<byte[]> needed = new ArrayList<>();
        for (byte[] jar : jars.reversed()) {
            if (inNewer.addAll(ProcedureLoader.classNamesOf(jar))) {
                needed.addFirst(jar);
            }
        }
        return needed;
    }

    /** The jars, the latest last. */
    List<byte[]> jars() {
        return List.copyOf(jars);
    }

    /** The same with one more jar, which comes first. */
    ProcedureSources with(byte[] jar) {
        return new ProcedureSources(this, jar);
    }

    /** Loaders for one change of the catalog: its procedures share classes, earlier ones keep their own. */
    Loaders open() {
        return new Loaders(this);
    }

    /** The loaders of one change. */
    static final class Loaders {
        private final List<ProcedureLoader> loaders = new ArrayList<>();
        private final boolean anyJar;

        private Loaders(ProcedureSources sources) {
            for (byte[] jar : sources.jars.reversed()) {
                loaders.add(ProcedureLoader.ofJar(jar));
            }
            anyJar = !loaders.isEmpty();
            for (ClassLoader classLoader : sources.classLoaders) {
                loaders.add(ProcedureLoader.ofClasses(classLoader));
            }
        }

        /** Whether the procedure's class is in the jar that came last. */
        boolean inNewestJar(ProcedureDefinition definition) {
            return definition.source() instanceof ProcedureDefinition.FromClass source
                    && anyJar
                    && loaders.getFirst().has(source.className());
        }

        DeployedProcedure load(String procedure, String className) {
            for (ProcedureLoader loader : loaders) {
                if (loader.has(className)) {
                    return loader.load(procedure, className);
                }
            }
            return loaders.getLast().load(procedure, className);
        }
    }
}
