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
import java.util.Map;
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
            "footprint",
            "storage",
            "changes",
            "sql",
            "log",
            "record",
            "redo",
            "snapshot",
            "archive",
            "execution",
            "recovery",
            "cluster",
            "txn",
            "engine",
            "access",
            "session",
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

    private static final Set<String> HASH_ORDERED = Set.of(
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.IdentityHashMap",
            "java.util.WeakHashMap",
            "java.util.concurrent.ConcurrentHashMap");

    private static final Set<String> CHANCE = Set.of(
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.concurrent.ThreadLocalRandom",
            "java.security.SecureRandom",
            "java.util.random.RandomGenerator");

    private final String root;
    private final boolean exempts;

    public LayeringRules(String root) {
        this(root, true);
    }

    private LayeringRules(String root, boolean exempts) {
        this.root = root;
        this.exempts = exempts;
    }

    /** The rules with exemptions, as if nothing were exempt. */
    public static Map<Exemptions, ArchRule> withoutExemptions(String root) {
        LayeringRules rules = new LayeringRules(root, false);
        return Map.of(
                Exemptions.THREADS, rules.threadsOnlyInRuntime(),
                Exemptions.FILES, rules.filesOnlyInRuntime(),
                Exemptions.LOCKS, rules.locksOnlyWhereThreadsMeet(),
                Exemptions.HASH_ORDER, rules.noHashOrderWhereReplayed());
    }

    private DescribedPredicate<JavaClass> notExempt(Exemptions exemptions) {
        return exempts ? exemptions.notListed(root) : DescribedPredicate.alwaysTrue();
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
                calciteEndsInTheCompiler(),
                engineIsALibrary(),
                clocksOnlyInRuntime(),
                threadsOnlyInRuntime(),
                constructorsStartNoThread(),
                filesOnlyInRuntime(),
                chanceOnlyInRuntime(),
                locksOnlyWhereThreadsMeet(),
                noHashOrderWhereReplayed());
    }

    /**
     * Layers that a replay passes: an order that depends on hashes, or on addresses of objects, would differ from the run's.
     * {@code execution.deploy} is not among them, because it runs when a procedure is deployed and writes no row.
     */
    ArchRule noHashOrderWhereReplayed() {
        List<String> replayed = new ArrayList<>();
        for (String name : List.of("storage", "log", "record", "redo", "recovery", "txn", "sql.compile.runtime")) {
            replayed.add(layer(name));
        }
        for (String name : List.of("execution", "execution.work", "execution.durable")) {
            replayed.add(root + "." + name);
        }
        return noClasses()
                .that()
                .resideInAnyPackage(replayed.toArray(String[]::new))
                .and(notExempt(Exemptions.HASH_ORDER))
                .should()
                .accessTargetWhere(access("make a hash-ordered collection", LayeringRules::makesHashOrder))
                .as("no hash-ordered collection where a replay passes")
                .because("a replay must meet rows in the order of the run; use an array, a list or a sorted map")
                .allowEmptyShould(true);
    }

    private static boolean makesHashOrder(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        return HASH_ORDERED.contains(owner) && (name.equals("<init>") || name.equals("newKeySet"))
                || (owner.equals("java.util.Map") || owner.equals("java.util.Set"))
                        && (name.equals("of") || name.equals("copyOf") || name.equals("ofEntries"))
                || owner.equals("java.util.stream.Collectors")
                        && (name.contains("Set") || name.contains("Map") || name.startsWith("grouping"));
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
        return noClasses()
                .that()
                .resideInAnyPackage(packages(List.of(
                        "id", "runtime", "footprint", "log", "record", "redo", "snapshot", "archive", "cluster")))
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

    ArchRule calciteEndsInTheCompiler() {
        ArchRule elsewhere = noClasses()
                .that()
                .resideOutsideOfPackages(layer("sql"), root + ".session")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.calcite..")
                .allowEmptyShould(true);
        ArchRule belowTheCompiler = noClasses()
                .that()
                .resideInAPackage(layer("sql.compile.runtime"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.calcite..")
                .allowEmptyShould(true);
        return CompositeArchRule.of(elsewhere)
                .and(belowTheCompiler)
                .as("Calcite only in sql, not in code that statements run, and in queries of the system catalogue")
                .allowEmptyShould(true);
    }

    ArchRule engineIsALibrary() {
        return noClasses()
                .that()
                .resideInAnyPackage(packages(LAYERS.subList(0, LAYERS.indexOf("engine") + 1)))
                .and()
                .resideOutsideOfPackage(layer("cluster"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "picocli..", "com.fasterxml..", "org.jline..")
                .as("the engine knows no library of servers and command lines")
                .because("programs have it in them")
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
                .resideOutsideOfPackages(layer("runtime"), layer("client"))
                .and(notExempt(Exemptions.THREADS))
                .should()
                .accessTargetWhere(access("start threads", LayeringRules::startsThread))
                .as("threads only in runtime and in the exempt classes")
                .because("a simulation runs all agents on one thread; be an Agent instead")
                .allowEmptyShould(true);
    }

    ArchRule constructorsStartNoThread() {
        return classes()
                .should(new ThreadStarts())
                .because("another thread would see an object that is not finished, and a test could not step it;"
                        + " start the thread in a method that the owner calls")
                .allowEmptyShould(true);
    }

    ArchRule filesOnlyInRuntime() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(layer("runtime"))
                .and(notExempt(Exemptions.FILES))
                .should()
                .dependOnClassesThat(named("files", FILES))
                .as("files only in runtime and in the exempt classes")
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
        String[] allowed = {layer("runtime"), layer("net"), layer("cluster.zookeeper"), layer("client")};
        return CompositeArchRule.of(noClasses()
                        .that()
                        .resideOutsideOfPackages(allowed)
                        .and(notExempt(Exemptions.LOCKS))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("java.util.concurrent.locks..")
                        .allowEmptyShould(true))
                .and(fields().that()
                        .areDeclaredInClassesThat()
                        .resideOutsideOfPackages(allowed)
                        .and()
                        .areDeclaredInClassesThat(notExempt(Exemptions.LOCKS))
                        .should()
                        .notHaveModifier(JavaModifier.VOLATILE)
                        .allowEmptyShould(true))
                .and(methods()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideOutsideOfPackages(allowed)
                        .and()
                        .areDeclaredInClassesThat(notExempt(Exemptions.LOCKS))
                        .should()
                        .notHaveModifier(JavaModifier.SYNCHRONIZED)
                        .allowEmptyShould(true))
                .as(
                        "locks, volatile fields and synchronized methods only in runtime, net, cluster.zookeeper, the client"
                                + " and the exempt classes")
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
