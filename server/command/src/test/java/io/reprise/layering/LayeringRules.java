package io.reprise.layering;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The order of packages, and their access to clocks, threads, files and randomness. The rules tolerate packages that
 * don't exist yet.
 *
 * <p>The root package is a parameter so that the rules can be tried on wrong-doers.
 */
public final class LayeringRules {
    /** Bottom to top; each imports only what stands before it. ARCHITECTURE.md has the same list with a line on each. */
    static final List<String> LAYERS = List.of(
            "id",
            "runtime",
            "catalog",
            "storage",
            "sql",
            "footprint",
            "log",
            "snapshot",
            "archive",
            "execution",
            "recovery",
            "cluster",
            "txn",
            "engine",
            "access",
            "net",
            "configuration",
            "node",
            "command");

    /** Packages of the procedures module: no server code below or above them. */
    private static final List<String> PROCEDURE_PACKAGES = List.of("procedure", "workload");

    /**
     * Packages of the client module. Both sides know the waiting of threads, the check of keys and the protocol; no
     * server code knows the client.
     */
    private static final List<String> CLIENT_PACKAGES = List.of("waiting", "certificate", "wire", "client");

    private static final Set<String> CLOCKS =
            Set.of("java.lang.System.currentTimeMillis", "java.lang.System.nanoTime", "java.lang.Thread.sleep");

    private static final Set<String> FILES = Set.of(
            "java.io.File",
            "java.io.FileInputStream",
            "java.io.FileOutputStream",
            "java.io.FileReader",
            "java.io.FileWriter",
            "java.io.RandomAccessFile",
            "java.nio.channels.FileChannel",
            "java.nio.channels.AsynchronousFileChannel",
            "java.nio.file.Files");

    private static final Set<String> CHANCE = Set.of(
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.concurrent.ThreadLocalRandom",
            "java.security.SecureRandom",
            "java.util.random.RandomGenerator");

    private final String root;

    public LayeringRules(String root) {
        this.root = root;
    }

    public List<ArchRule> all() {
        return List.of(
                everyClassIsInALayer(),
                layersLookDown(),
                noCircles(),
                proceduresKnowNoServer(),
                procedureApiStaysOutOfTheFoundations(),
                clientKnowsNoServer(),
                serverKnowsNoClient(),
                wireOnlyInNet(),
                nettyOnlyInNet(),
                engineKnowsNoSampleWorkload(),
                zooKeeperOnlyInItsPackage(),
                clocksOnlyInRuntime(),
                threadsOnlyInRuntime(),
                filesOnlyInRuntime(),
                chanceOnlyInRuntime(),
                locksOnlyWhereThreadsMeet());
    }

    ArchRule everyClassIsInALayer() {
        List<String> homes = new ArrayList<>(LAYERS);
        homes.addAll(PROCEDURE_PACKAGES);
        homes.addAll(CLIENT_PACKAGES);
        return classes()
                .should()
                .resideInAnyPackage(packages(homes))
                .as("every class is in a package of the layering")
                .because(
                        "a new top-level package is a decision: give it its place in LayeringRules and ARCHITECTURE.md");
    }

    ArchRule layersLookDown() {
        CompositeArchRule rule = null;
        for (int i = 0; i < LAYERS.size() - 1; i++) {
            ArchRule one = noClasses()
                    .that()
                    .resideInAPackage(layer(LAYERS.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(packages(LAYERS.subList(i + 1, LAYERS.size())))
                    .allowEmptyShould(true);
            rule = rule == null ? CompositeArchRule.of(one) : rule.and(one);
        }
        return rule.as("each layer knows only the layers below it").allowEmptyShould(true);
    }

    ArchRule noCircles() {
        return slices().matching(root + ".(**)")
                .should()
                .beFreeOfCycles()
                .as("no circles between packages")
                .allowEmptyShould(true);
    }

    ArchRule proceduresKnowNoServer() {
        return noClasses()
                .that()
                .resideInAnyPackage(packages(PROCEDURE_PACKAGES))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages(LAYERS))
                .as("procedures know no server code")
                .allowEmptyShould(true);
    }

    ArchRule procedureApiStaysOutOfTheFoundations() {
        // A full partition is an error that the procedure sees, so runtime.memory throws it as such.
        return noClasses()
                .that()
                .resideInAnyPackage(
                        packages(List.of("id", "runtime", "footprint", "log", "snapshot", "archive", "cluster")))
                .and()
                .resideOutsideOfPackage(layer("runtime.memory"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(layer("procedure"))
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage(layer("workload"))
                .as("what only moves bytes knows no procedure")
                .allowEmptyShould(true);
    }

    ArchRule clientKnowsNoServer() {
        List<String> server = new ArrayList<>(LAYERS);
        server.addAll(PROCEDURE_PACKAGES);
        return CompositeArchRule.of(noClasses()
                        .that()
                        .resideInAnyPackage(packages(CLIENT_PACKAGES))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(packages(server))
                        .allowEmptyShould(true))
                .and(noClasses()
                        .that()
                        .resideInAnyPackage(layer("waiting"), layer("certificate"), layer("wire"))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(layer("client"))
                        .allowEmptyShould(true))
                .as("the client knows no server code, and what both know no client")
                .allowEmptyShould(true);
    }

    ArchRule serverKnowsNoClient() {
        return noClasses()
                .that()
                .resideInAnyPackage(packages(LAYERS))
                .and()
                .resideOutsideOfPackage(layer("command"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(layer("client"))
                .as("the server knows no client, but for the command line, which is one of its users")
                .allowEmptyShould(true);
    }

    ArchRule wireOnlyInNet() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(layer("net"), layer("wire"), layer("client"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(layer("wire"), "com.google.protobuf..")
                .as("the protocol only in net")
                .allowEmptyShould(true);
    }

    ArchRule nettyOnlyInNet() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(layer("net"), layer("client"), layer("waiting"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .as("Netty only in net, in the client and in how both of them wait")
                .allowEmptyShould(true);
    }

    ArchRule engineKnowsNoSampleWorkload() {
        return noClasses()
                .that()
                .resideInAnyPackage(packages(LAYERS))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(layer("workload"))
                .as("the server knows no sample workload")
                .allowEmptyShould(true);
    }

    ArchRule zooKeeperOnlyInItsPackage() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(layer("cluster.zookeeper"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..")
                .as("ZooKeeper and Curator only in cluster.zookeeper")
                .allowEmptyShould(true);
    }

    ArchRule clocksOnlyInRuntime() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(layer("runtime"), layer("client"), layer("waiting"))
                .should()
                .accessTargetWhere(access("read the machine's clock", LayeringRules::readsClock))
                .as("clocks only in runtime")
                .because("a simulation replaces the clock; ask the Clock that you are given")
                .allowEmptyShould(true);
    }

    ArchRule threadsOnlyInRuntime() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(
                        layer("runtime"), layer("engine"), layer("node"), layer("client"), layer("command"))
                .should()
                .accessTargetWhere(access("start threads", LayeringRules::startsThread))
                .as("threads only in runtime, in engine and node, which wire them, and in the command line")
                .because("a simulation runs all agents on one thread; be an Agent instead")
                .allowEmptyShould(true);
    }

    ArchRule filesOnlyInRuntime() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(
                        layer("runtime"),
                        layer("configuration"),
                        layer("engine"),
                        layer("node"),
                        layer("certificate"),
                        layer("command"))
                .should()
                .dependOnClassesThat(named("files", FILES))
                .as(
                        "files only in runtime, in the configuration's reader, in engine and node, in the reader of certificates and in the command line")
                .because("a simulation replaces the disk; use the FileStore that you are given")
                .allowEmptyShould(true);
    }

    ArchRule chanceOnlyInRuntime() {
        return CompositeArchRule.of(noClasses()
                        .that()
                        .resideOutsideOfPackages(layer("runtime"), layer("workload"), layer("client"))
                        .should()
                        .dependOnClassesThat(named("random generators", CHANCE))
                        .allowEmptyShould(true))
                .and(noClasses()
                        .that()
                        .resideOutsideOfPackages(layer("runtime"), layer("client"))
                        .should()
                        .accessTargetWhere(access("take unseeded chance", LayeringRules::takesChance))
                        .allowEmptyShould(true))
                .as("randomness only in runtime; workloads may have generators with a seed")
                .because("a run with the same seed must be the same run");
    }

    ArchRule locksOnlyWhereThreadsMeet() {
        // The procedure API has a loop guard, which a watching thread sets and the procedure's thread reads; in
        // engine and node the callers' threads meet the sites'.
        String[] allowed = {
            layer("runtime"),
            layer("net"),
            layer("cluster.zookeeper"),
            layer("engine"),
            layer("node"),
            layer("procedure"),
            layer("wire"),
            layer("client"),
            layer("command")
        };
        return CompositeArchRule.of(noClasses()
                        .that()
                        .resideOutsideOfPackages(allowed)
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("java.util.concurrent.locks..")
                        .allowEmptyShould(true))
                .and(fields().that()
                        .areDeclaredInClassesThat()
                        .resideOutsideOfPackages(allowed)
                        .should()
                        .notHaveModifier(JavaModifier.VOLATILE)
                        .allowEmptyShould(true))
                .and(methods()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideOutsideOfPackages(allowed)
                        .should()
                        .notHaveModifier(JavaModifier.SYNCHRONIZED)
                        .allowEmptyShould(true))
                .as(
                        "locks, volatile fields and synchronized methods only in runtime, net, engine, node, the command line, cluster.zookeeper and the"
                                + " procedure API")
                .because("state has one owning thread; hand over by a queue of runtime.agent");
    }

    private static boolean readsClock(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        return CLOCKS.contains(owner + "." + access.getName())
                || owner.startsWith("java.time.") && access.getName().equals("now")
                || owner.equals("java.time.Clock") && access.getName().startsWith("system")
                || owner.equals("java.util.Date") && access.getName().equals("<init>");
    }

    private static boolean startsThread(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        return owner.equals("java.lang.Thread")
                        && (name.equals("<init>") || name.startsWith("of") || name.startsWith("start"))
                || owner.equals("java.util.concurrent.Executors")
                || owner.equals("java.util.concurrent.ForkJoinPool")
                || owner.equals("java.util.Timer");
    }

    private static boolean takesChance(JavaAccess<?> access) {
        String target = access.getTargetOwner().getName() + "." + access.getName();
        boolean constructor = access.getName().equals("<init>");
        return target.equals("java.lang.Math.random")
                || target.equals("java.util.UUID.randomUUID")
                || target.equals("java.util.Collections.shuffle")
                || target.startsWith("java.util.concurrent.ThreadLocalRandom.")
                || target.startsWith("java.security.SecureRandom.")
                || constructor
                        && CHANCE.contains(access.getTargetOwner().getName())
                        && access.getDescription().contains(".<init>()>");
    }

    private static DescribedPredicate<JavaAccess<?>> access(String description, Predicate<JavaAccess<?>> predicate) {
        return DescribedPredicate.describe(description, predicate);
    }

    private static DescribedPredicate<JavaClass> named(String description, Set<String> names) {
        return DescribedPredicate.describe("are " + description, type -> names.contains(type.getName()));
    }

    private String layer(String name) {
        return root + "." + name + "..";
    }

    private String[] packages(List<String> names) {
        return names.stream().map(this::layer).toArray(String[]::new);
    }
}
