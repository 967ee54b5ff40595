package io.reprise.node;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.execution.work.ProcedureWork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The catalog and the works of its procedures, at one moment. Immutable; replaced as a whole.
 *
 * @param catalog what is declared
 * @param works by procedure name, whatever the case of its letters
 * @param nextVersion the number that the next version of a procedure gets
 */
record Schema(Catalog catalog, Map<String, Work> works, int nextVersion) {
    static Schema empty() {
        return new Schema(Catalog.empty(), new TreeMap<>(String.CASE_INSENSITIVE_ORDER), Work.NO_VERSION + 1);
    }

    /** Whether a procedure of this class runs the code that the class has now. */
    boolean runs(Class<?> type) {
        for (Work work : works.values()) {
            if (work instanceof ProcedureWork procedure && procedure.className().equals(type.getName())) {
                SortedMap<String, byte[]> deployed = procedure.loader().classFiles();
                return ProcedureLoader.classFilesOf(procedure.name(), type).entrySet().stream()
                        .allMatch(now -> Arrays.equals(now.getValue(), deployed.get(now.getKey())));
            }
        }
        return false;
    }

    /** The change that makes this schema of an empty one. */
    SchemaRecord image(List<byte[]> jars) {
        return record(CatalogPrinter.print(catalog), jars, works.values());
    }

    /** The change that led here by a script and made the given works. */
    SchemaRecord record(String script, List<byte[]> newJars, Collection<Work> made) {
        IdentityHashMap<ProcedureLoader, Integer> sets = new IdentityHashMap<>();
        List<SortedMap<String, byte[]>> classSets = new ArrayList<>();
        List<SchemaRecord.MadeProcedure> procedures = new ArrayList<>();
        for (Work work : made) {
            int set = SchemaRecord.NO_CLASSES;
            if (work instanceof ProcedureWork procedure) {
                set = sets.computeIfAbsent(procedure.loader(), loader -> {
                    classSets.add(loader.classFiles());
                    return classSets.size() - 1;
                });
            }
            procedures.add(new SchemaRecord.MadeProcedure(work.name(), work.version(), set));
        }
        return new SchemaRecord(
                catalog.version(), catalog.nextTableId(), nextVersion, script, newJars, classSets, procedures);
    }
}
