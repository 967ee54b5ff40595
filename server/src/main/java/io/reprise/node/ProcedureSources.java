package io.reprise.node;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.execution.deploy.DeployedProcedure;
import io.reprise.execution.deploy.ProcedureLoader;
import java.util.ArrayList;
import java.util.List;

/** Where procedure classes come from: jars, the latest first, then the class path. Guarded by the catalog's lock. */
final class ProcedureSources {
    private final List<byte[]> jars = new ArrayList<>();
    private final ClassLoader classPath;

    ProcedureSources(List<byte[]> jars, ClassLoader classPath) {
        this.jars.addAll(jars);
        this.classPath = classPath;
    }

    private ProcedureSources(ProcedureSources others, byte[] jar) {
        this(others.jars, others.classPath);
        jars.add(jar);
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
        private final ProcedureLoader last;

        private Loaders(ProcedureSources sources) {
            for (byte[] jar : sources.jars.reversed()) {
                loaders.add(ProcedureLoader.ofJar(jar));
            }
            last = ProcedureLoader.ofClasses(sources.classPath);
        }

        /** Whether the procedure's class is in the jar that came last. */
        boolean inNewestJar(ProcedureDefinition definition) {
            return definition.source() instanceof ProcedureDefinition.FromClass source
                    && !loaders.isEmpty()
                    && loaders.getFirst().has(source.className());
        }

        DeployedProcedure load(String procedure, String className) {
            for (ProcedureLoader loader : loaders) {
                if (loader.has(className)) {
                    return loader.load(procedure, className);
                }
            }
            return last.load(procedure, className);
        }
    }
}
