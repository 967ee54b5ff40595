package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.execution.work.ProcedureWork;
import io.reprise.execution.work.RefusedWork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The catalog and the works of its procedures, at one moment. Immutable; replaced as a whole.
 *
 * @param catalog the declarations
 * @param works by procedure name, whatever the case of its letters
 * @param nextVersion the number that the next version of a procedure gets
 * @param transaction the cluster's transaction that made the last change; 0 if there is none
 */
record Schema(Catalog catalog, Map<String, Work> works, int nextVersion, long transaction) {
    static Schema empty() {
        return new Schema(Catalog.empty(), new TreeMap<>(String.CASE_INSENSITIVE_ORDER), Work.NO_VERSION + 1, 0);
    }

    /** The same, made by a transaction of the cluster. */
    Schema madeBy(long newTransaction) {
        return new Schema(catalog, works, nextVersion, newTransaction);
    }

    /** Whether a procedure of this class has the code that the class has now. */
    boolean has(Class<?> type) {
        for (ProcedureDefinition definition : catalog.procedures().values()) {
            if (definition.source() instanceof ProcedureDefinition.FromClass source
                    && source.className().equals(type.getName())) {
                Map<String, byte[]> deployed = classFiles(works.get(definition.name()));
                return ProcedureLoader.classFilesOf(type).entrySet().stream()
                        .allMatch(now -> Arrays.equals(now.getValue(), deployed.get(now.getKey())));
            }
        }
        return false;
    }

    private static Map<String, byte[]> classFiles(Work work) {
        return switch (work) {
            case ProcedureWork procedure -> procedure.loader().classFiles();
            case RefusedWork refused -> refused.classFiles().orElseGet(TreeMap::new);
            default -> Map.of();
        };
    }

    /** The procedures that this version of the server can't run, by name. */
    Map<String, RefusedWork> refused() {
        Map<String, RefusedWork> refused = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        works.forEach((name, work) -> {
            if (work instanceof RefusedWork one) {
                refused.put(name, one);
            }
        });
        return refused;
    }

    /** The same with a procedure that can't be run after all. */
    Schema withRefused(Work work, Throwable refusal) {
        RefusedWork refused = new RefusedWork(
                work.name(),
                refusal,
                work instanceof ProcedureWork procedure
                        ? Optional.of(procedure.loader().classFiles())
                        : Optional.empty());
        refused.version(work.version());
        Map<String, Work> others = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        others.putAll(works);
        others.put(work.name(), refused);
        return new Schema(catalog, others, nextVersion, transaction);
    }

    /** The change that makes this schema of an empty one. */
    SchemaRecord image(List<byte[]> jars) {
        return record(CatalogPrinter.print(catalog), jars, works.values());
    }

    /** The change that led here by a script and made the given works. */
    SchemaRecord record(String script, List<byte[]> newJars, Collection<Work> made) {
        // By what loads them; of those that nothing loads by themselves.
        IdentityHashMap<Object, Integer> sets = new IdentityHashMap<>();
        List<SortedMap<String, byte[]>> classSets = new ArrayList<>();
        List<SchemaRecord.MadeProcedure> procedures = new ArrayList<>();
        for (Work work : made) {
            Object source = switch (work) {
                case ProcedureWork procedure -> procedure.loader();
                case RefusedWork refused -> refused.classFiles().orElse(null);
                default -> null;
            };
            int set = SchemaRecord.NO_CLASSES;
            if (source != null) {
                set = sets.computeIfAbsent(source, added -> {
                    classSets.add(new TreeMap<>(classFiles(work)));
                    return classSets.size() - 1;
                });
            }
            procedures.add(new SchemaRecord.MadeProcedure(work.name(), work.version(), set));
        }
        return new SchemaRecord(
                catalog.version(),
                catalog.nextTableId(),
                nextVersion,
                script,
                newJars,
                classSets,
                procedures,
                transaction,
                false);
    }
}
