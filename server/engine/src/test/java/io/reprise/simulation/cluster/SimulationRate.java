package io.reprise.simulation.cluster;

import com.sun.management.OperatingSystemMXBean;
import io.reprise.simulation.Simulation;
import java.lang.management.ManagementFactory;

/**
 * The program behind the benchmark {@code simulate}: runs whole-cluster scenarios with ascending seeds, and prints for
 * each round {@code rate}, the number of seeds, the processor time of the process and the simulated time, both in nanoseconds. A seed
 * that finds a failure ends it.
 */
final class SimulationRate {
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long seed;

    private SimulationRate() {}

    /** Arguments: the processor seconds of the warm-up, those of a round, and the number of rounds. */
    public static void main(String[] arguments) {
        SimulationRate rate = new SimulationRate();
        rate.run(Integer.parseInt(arguments[0]));
        int seconds = Integer.parseInt(arguments[1]);
        for (int round = Integer.parseInt(arguments[2]); round > 0; round--) {
            System.out.println("rate " + rate.run(seconds));
        }
    }

    private String run(int seconds) {
        long beganNs = process.getProcessCpuTime();
        long tookNs = 0;
        long simulatedNs = 0;
        int count = 0;
        while (tookNs < seconds * NS_PER_SECOND) {
            simulatedNs += simulate(++seed);
            count++;
            tookNs = process.getProcessCpuTime() - beganNs;
        }
        return count + " " + tookNs + " " + simulatedNs;
    }

    private static long simulate(long seed) {
        Simulation simulation = new Simulation(seed);
        long beganNs = simulation.clock().nanoTime();
        try {
            new FaultScenario(simulation).run();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "seed " + seed + " fails; to repeat it: scripts/simulate --from " + seed + " --seeds 1", failure);
        }
        return simulation.clock().nanoTime() - beganNs;
    }
}
