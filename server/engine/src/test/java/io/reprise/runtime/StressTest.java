package io.reprise.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs all classes named {@code ...Stress} under jcstress, in processes of their own: some seconds for each of their
 * tests. jcstress runs tests with three actors only where there are three processors.
 */
@Tag("long")
class StressTest {
    /** Those with two actors, which run on any machine. */
    private static final List<String> TESTS = List.of(
            "runtime.agent.CompletionStress.OneWaits",
            "runtime.agent.PublishedLongStress.OneRing",
            "runtime.agent.RingStress.FullRing",
            "runtime.agent.RingStress.OneProducer",
            "runtime.agent.RingStress.TwoProducers",
            "runtime.agent.RoomSignalStress.OneProducer",
            "runtime.agent.RunMonitorStress.TwoRuns",
            "runtime.agent.RunMonitorStress.Unwatched",
            "runtime.agent.WakerStress.OneProducer",
            "runtime.order.InitiatorClockStress.OneExecutor",
            "runtime.order.InitiatorClockStress.TwoExecutors",
            "runtime.order.RendezvousStress.TwoParticipants",
            "runtime.order.RendezvousStress.HomeWaits",
            "runtime.order.RendezvousStress.GuestWithdraws",
            "execution.durable.ImageRingStress.FullRing",
            "execution.durable.ImageRingStress.EmptyRing");

    @TempDir
    Path directory;

    @Test
    void shouldFindNoForbiddenOutcome() throws Exception {
        Process jcstress = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx64m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-t",
                        "Stress\\.",
                        "-f",
                        "1",
                        "-iters",
                        "5",
                        "-time",
                        "300",
                        "-hs",
                        "64",
                        "-jvmArgs",
                        "-Xmx256m",
                        "-af",
                        "NONE",
                        "-sc",
                        "false",
                        "-v")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String report = new String(jcstress.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(jcstress.waitFor()).as(report).isZero();
        assertThat(TESTS).allSatisfy(test -> assertThat(report).contains("[OK] io.reprise." + test));
        assertThat(report).contains("Failed tests: No matches").contains("Error tests: No matches");
    }
}
