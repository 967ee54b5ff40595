package io.reprise.layering;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each rule catches the wrong-doer that is made for it. */
final class LayeringRulesTest {
    private static final String ROOT = "io.reprise.layering.violations";

    private static JavaClasses wrongDoers;

    private final LayeringRules rules = new LayeringRules(ROOT);

    @BeforeAll
    static void read() {
        wrongDoers = new ClassFileImporter().importPackages(ROOT);
    }

    @Test
    void shouldCatchAnImportFromAHigherLayer() {
        assertCaught(rules.layersLookDown(), "storage.KnowsLog");
    }

    @Test
    void shouldAllowAnImportFromALowerLayer() {
        assertThat(rules.layersLookDown()
                        .evaluate(wrongDoers)
                        .getFailureReport()
                        .getDetails())
                .noneMatch(detail -> detail.contains("txn.TouchesEverything"));
    }

    @Test
    void shouldCatchAServerThatKnowsASampleWorkload() {
        assertCaught(rules.engineKnowsNoSampleWorkload(), "log.KnowsWorkload");
    }

    @Test
    void shouldCatchACircle() {
        assertCaught(rules.noCircles(), "cycle.one");
    }

    @Test
    void shouldCatchAPackageWithoutAPlace() {
        assertCaught(rules.everyClassIsInALayer(), "cycle.one");
    }

    @Test
    void shouldCatchProceduresThatKnowTheServer() {
        assertCaught(rules.proceduresKnowNoServer(), "workload.KnowsServer");
    }

    @Test
    void shouldCatchProceduresInTheFoundations() {
        assertCaught(rules.procedureApiStaysOutOfTheFoundations(), "log.KnowsWorkload");
    }

    @Test
    void shouldCatchAClientThatKnowsTheServer() {
        assertCaught(rules.clientKnowsNoServer(), "client.KnowsLog");
    }

    @Test
    void shouldCatchAServerThatKnowsTheClient() {
        assertCaught(rules.serverKnowsNoClient(), "storage.KnowsClient");
    }

    @Test
    void shouldCatchTheProtocolOutsideOfTheNetwork() {
        assertCaught(rules.wireOnlyInNet(), "storage.KnowsClient");
    }

    @Test
    void shouldCatchNettyOutsideOfTheNetwork() {
        assertCaught(rules.nettyOnlyInNet(), "storage.KnowsLibraries.buffer");
    }

    @Test
    void shouldCatchZooKeeperOutsideOfItsPackage() {
        assertCaught(rules.zooKeeperOnlyInItsPackage(), "storage.KnowsLibraries.zooKeeper");
        assertCaught(rules.zooKeeperOnlyInItsPackage(), "storage.KnowsLibraries.curator");
    }

    @Test
    void shouldCatchCalciteOutsideOfSql() {
        assertCaught(rules.calciteEndsInTheCompiler(), "storage.KnowsLibraries.calcite");
        assertCaught(rules.calciteEndsInTheCompiler(), "sql.compile.runtime.KnowsCalcite");
    }

    @Test
    void shouldCatchAnEngineThatKnowsALibraryOfServers() {
        assertCaught(rules.engineIsALibrary(), "storage.KnowsLibraries.buffer");
        assertCaught(rules.engineIsALibrary(), "storage.KnowsLibraries.json");
    }

    @Test
    void shouldCatchTheClock() {
        assertCaught(rules.clocksOnlyInRuntime(), "TouchesEverything.nanoTime");
        assertCaught(rules.clocksOnlyInRuntime(), "TouchesEverything.now");
        assertCaught(rules.clocksOnlyInRuntime(), "TouchesEverything.sleep");
    }

    @Test
    void shouldCatchThreads() {
        assertCaught(rules.threadsOnlyInRuntime(), "TouchesEverything.thread");
        assertCaught(rules.threadsOnlyInRuntime(), "TouchesEverything.virtual");
        assertCaught(rules.threadsOnlyInRuntime(), "TouchesEverything.pool");
    }

    @Test
    void shouldCatchThreadsThatStartBeforeTheirObjectIsFinished() {
        ArchRule rule = rules.constructorsStartNoThread();

        assertCaught(rule, "StartsEarly.<init>(java.lang.Runnable)");
        assertCaught(rule, "StartsEarly.<init>(java.util.concurrent.Executor)");
        assertCaught(rule, "StartsEarly.<clinit>()");
        assertThat(details(rule)).contains("StartsEarly.<init>(int)").contains("StartsEarly.begin()");
        assertThat(details(rule)).doesNotContain("StartsLater");
    }

    @Test
    void shouldCatchFiles() {
        assertCaught(rules.filesOnlyInRuntime(), "TouchesEverything.write");
        assertCaught(rules.filesOnlyInRuntime(), "TouchesEverything.file");
    }

    @Test
    void shouldCatchChance() {
        assertCaught(rules.chanceOnlyInRuntime(), "TouchesEverything.generator");
        assertCaught(rules.chanceOnlyInRuntime(), "TouchesEverything.mathRandom");
        assertCaught(rules.chanceOnlyInRuntime(), "TouchesEverything.uuid");
        assertCaught(rules.chanceOnlyInRuntime(), "workload.KnowsServer.unseeded");
        assertThat(details(rules.chanceOnlyInRuntime())).doesNotContain("KnowsServer.seeded");
    }

    @Test
    void shouldCatchLocksVolatileAndSynchronized() {
        assertCaught(rules.locksOnlyWhereThreadsMeet(), "TouchesEverything.lock");
        assertCaught(rules.locksOnlyWhereThreadsMeet(), "TouchesEverything.shared");
        assertCaught(rules.locksOnlyWhereThreadsMeet(), "TouchesEverything.monitor");
    }

    @Test
    void shouldCatchAHashOrderedCollectionWhereAReplayPasses() {
        assertCaught(rules.noHashOrderWhereReplayed(), "TouchesEverything.hashed");
        assertCaught(rules.noHashOrderWhereReplayed(), "TouchesEverything.setOf");
    }

    @Test
    void shouldCatchAPackageMostOfWhoseClassesKnowEachOther() {
        assertThat(new Knots(wrongDoers).tooLarge()).containsOnlyKeys(ROOT + ".knot");
        assertThat(new Knots(wrongDoers).tooLarge().get(ROOT + ".knot")).hasSize(5);
    }

    private void assertCaught(ArchRule rule, String wrongDoer) {
        EvaluationResult result = rule.evaluate(wrongDoers);

        assertThat(result.hasViolation()).as(rule.getDescription()).isTrue();
        assertThat(details(rule)).contains(wrongDoer);
    }

    private String details(ArchRule rule) {
        return String.join("\n", rule.evaluate(wrongDoers).getFailureReport().getDetails());
    }
}
