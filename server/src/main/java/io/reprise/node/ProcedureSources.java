package io.reprise.node;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.execution.deploy.DeployedProcedure;
import io.reprise.execution.deploy.ProcedureLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * Where procedure classes come from: jars, the latest first, then the class loaders that the application has. Guarded by
 * the schema's lock.
 */
final class ProcedureSources {
    private final List<byte[]> jars = new ArrayList<>();
    private final List<ClassLoader> classLoaders;

    ProcedureSources(List<byte[]> jars, List<ClassLoader> classLoaders) {
        this.jars.addAll(jars);
        this.classLoaders = List.copyOf(classLoaders);
    }

    private ProcedureSources(ProcedureSources others, byte[] jar) {
        this(others.jars, others.classLoaders);
        jars.add(jar);
    }

    /** The jars, the latest last. */
    List<byte[]> jars() {
        return List.copyOf(jars);
    }

    /** The same with one more jar, which comes first. */
    ProcedureSources with(byte[] jar) {
        return new ProcedureSources(this, jar);
    }

    /** Loaders for one change of the catalog: what it deploys shares classes, what was deployed before keeps its own. */
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
