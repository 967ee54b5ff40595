package io.reprise.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.file.DataFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void shouldRepeatWhenTheSeedIsTheSame() {
        Set<Long> hashes = new HashSet<>();

        Seeds.forEach(20, seed -> hashes.add(Simulation.checkRepeats(seed, SimulationTest::pingPong)));

        assertThat(hashes).as("one schedule for each seed").hasSizeGreaterThan(1);
    }

    @Test
    void shouldSayWhatDiffersWhenAScenarioDoesNotRepeat() {
        int[] runs = {0};

        assertThatThrownBy(() -> Simulation.checkRepeats(1, simulation -> {
                    simulation.add(agent("steady", nowNs -> 1));
                    simulation.run(50);
                    simulation.event("run", runs[0]++, 0);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("entry 51 differs")
                .hasMessageContaining("run 1 0")
                .hasMessageContaining("steady 0 1");
    }

    @Test
    void shouldNoticeWhenTheSecondRunIsShorter() {
        int[] runs = {3};

        assertThatThrownBy(() -> Simulation.checkRepeats(1, simulation -> {
                    for (int i = 0; i < runs[0]; i++) {
                        simulation.event("e", i, 0);
                    }
                    runs[0]--;
                }))
                .hasMessageContaining("ended after 2 entries, the first after 3");
    }

    @Test
    void shouldNoticeADifferenceDeepInsideAnAgentThatCatchesEverything() {
        int[] runs = {0};

        assertThatThrownBy(() -> Simulation.checkRepeats(1, simulation -> {
                    int run = runs[0]++;
                    simulation.onNodeFailure((node, role, cause) -> {});
                    simulation.add(agent("forgiving", nowNs -> {
                        simulation.event("run", run, 0);
                        return 1;
                    }));
                    simulation.run(5);
                }))
                .hasMessageContaining("entry 1 differs");
    }

    @Test
    void shouldRunEachAgentWithinBoundsWhateverTheBias() {
        Seeds.forEach(20, seed -> {
            Simulation simulation = new Simulation(seed);
            int[] cycles = new int[4];
            for (int i = 0; i < cycles.length; i++) {
                int id = i;
                simulation.add(agent("a" + id, nowNs -> cycles[id]++));
            }

            simulation.run(4_000);

            for (int count : cycles) {
                assertThat(count).isGreaterThan(100);
            }
        });
    }

    @Test
    void shouldStarveAndFavourAgentsForAWhile() {
        int[] longestRun = {0};
        int[] longestWait = {0};
        Seeds.forEach(20, seed -> {
            Simulation simulation = new Simulation(seed);
            int[] run = {0};
            int[] wait = {0};
            simulation.add(agent("watched", nowNs -> {
                longestRun[0] = Math.max(longestRun[0], ++run[0]);
                wait[0] = 0;
                return 1;
            }));
            for (int i = 0; i < 3; i++) {
                simulation.add(agent("other" + i, nowNs -> {
                    longestWait[0] = Math.max(longestWait[0], ++wait[0]);
                    run[0] = 0;
                    return 1;
                }));
            }
            simulation.run(5_000);
        });

        assertThat(longestRun[0]).isGreaterThan(20);
        assertThat(longestWait[0]).isGreaterThan(100);
    }

    @Test
    void shouldLeapWhenNobodyHasWorkSoThatTimersFire() {
        Simulation simulation = new Simulation(7);
        long[] firedAtNs = {0};
        long dueNs = simulation.clock().nanoTime() + 60_000_000_000L;
        simulation.add(agent("timer", nowNs -> {
            if (firedAtNs[0] == 0 && nowNs >= dueNs) {
                firedAtNs[0] = nowNs;
                return 1;
            }
            return 0;
        }));

        simulation.runUntil(() -> firedAtNs[0] > 0, 100_000);

        assertThat(firedAtNs[0]).isGreaterThanOrEqualTo(dueNs);
    }

    @Test
    void shouldFailWithTheTraceWhenAConditionIsNotReached() {
        Simulation simulation = new Simulation(7);
        simulation.add(agent("lazy", nowNs -> 0));

        assertThatThrownBy(() -> simulation.runUntil(() -> false, 100))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 7")
                .hasMessageContaining("within 100 steps")
                .hasMessageContaining("lazy 0 0");
    }

    @Test
    void shouldLetOthersRunWhileACallTakesLong() {
        Seeds.forEach(20, seed -> {
            Simulation simulation = new Simulation(seed);
            SimulatedFileStore disk = simulation.disk();
            DataFile file = disk.create("log");
            disk.faults().forceLatency(50_000_000, 50_000_000);
            boolean[] forcing = {false};
            int[] during = {0};
            long[] tookNs = {0};
            simulation.add(agent("log", nowNs -> {
                forcing[0] = true;
                file.write(0, ByteBuffer.wrap(new byte[8]));
                file.force();
                forcing[0] = false;
                tookNs[0] = simulation.clock().nanoTime() - nowNs;
                return 1;
            }));
            simulation.add(agent("executor", nowNs -> {
                during[0] += forcing[0] ? 1 : 0;
                return 1;
            }));

            simulation.runUntil(() -> tookNs[0] > 0, 1_000);

            assertThat(during[0]).isPositive();
            assertThat(tookNs[0]).isBetween(50_000_000L, 60_000_000L);
        });
    }

    @Test
    void shouldNotOvershootAStallWhenNobodyElseIsThere() {
        Simulation simulation = new Simulation(3);
        long startNs = simulation.clock().nanoTime();

        simulation.stall(1_000);

        assertThat(simulation.clock().nanoTime() - startNs).isBetween(1_000L, 2_000L);
    }

    @Test
    void shouldNestStalls() {
        Simulation simulation = new Simulation(3);
        List<String> ended = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            simulation.add(agent(name, nowNs -> {
                simulation.stall(1_000_000);
                ended.add(name);
                return 1;
            }));
        }

        simulation.runUntil(() -> ended.size() >= 30, 10_000);

        assertThat(ended).contains("a", "b", "c");
    }

    @Test
    void shouldEndTheNodeAndTellTheHandlerWhenAnAgentThrows() {
        Simulation simulation = new Simulation(5);
        List<String> failed = new ArrayList<>();
        int[] cycles = new int[2];
        simulation.onNodeFailure((node, role, cause) -> failed.add(node + " " + role + " " + cause.getMessage()));
        simulation.add("n1", agent("bad", nowNs -> {
            throw new IllegalStateException("no");
        }));
        simulation.add("n1", agent("same node", nowNs -> cycles[0]++));
        simulation.add("n2", agent("other node", nowNs -> cycles[1]++));

        simulation.run(2_000);
        int sameNodeCycles = cycles[0];
        simulation.run(2_000);

        assertThat(failed).containsExactly("n1 bad no");
        assertThat(cycles[0]).isEqualTo(sameNodeCycles);
        assertThat(cycles[1]).isGreaterThan(2_000);
    }

    @Test
    void shouldEndTheRunWithSeedAndTraceWhenNobodyHandlesAFailure() {
        Simulation simulation = new Simulation(5);
        simulation.add(agent("bad", nowNs -> {
            throw new IllegalStateException("no");
        }));

        assertThatThrownBy(() -> simulation.run(10))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 5: node node failed in bad")
                .hasRootCauseMessage("no");
        assertThatThrownBy(simulation::step).isInstanceOf(AssertionError.class);
    }

    @Test
    void shouldUnwindAStalledAgentWhenItsNodeCrashesMeanwhile() {
        Simulation simulation = new Simulation(5);
        boolean[] returned = {false};
        boolean[] unwound = {false};
        simulation.add("n1", agent("log", nowNs -> {
            try {
                simulation.stall(1_000_000_000);
                returned[0] = true;
            } catch (SimulatedPowerLoss e) {
                unwound[0] = true;
                throw e;
            }
            return 1;
        }));
        simulation.add("n2", agent("killer", nowNs -> {
            if (nowNs > SimulatedClock.START_NS + 500_000_000) {
                simulation.crash("n1");
            }
            return 1;
        }));

        simulation.runUntil(() -> unwound[0], 100_000);

        assertThat(returned[0]).isFalse();
    }

    @Test
    void shouldCloseOnlyWhatIsRemovedInGoodOrder() {
        Simulation simulation = new Simulation(5);
        List<String> closed = new ArrayList<>();
        Agent polite = new Agent() {
            @Override
            public String roleName() {
                return "polite";
            }

            @Override
            public int doWork(long nowNs) {
                return 1;
            }

            @Override
            public void onClose() {
                closed.add(roleName());
            }
        };
        simulation.add("n1", polite);
        simulation.run(3);

        simulation.remove(polite);
        simulation.add("n2", polite);
        simulation.crash("n2");

        assertThat(closed).containsExactly("polite");
        assertThatCode(() -> simulation.run(10)).doesNotThrowAnyException();
    }

    @Test
    void shouldMakeTheWallClockJumpWhenAsked() {
        Simulation simulation = new Simulation(5).wallClockJumps(0.5, 1_000_000);
        simulation.add(agent("a", nowNs -> 1));
        boolean backwards = false;
        long beforeMicros = simulation.clock().epochMicros();
        for (int i = 0; i < 100; i++) {
            simulation.step();
            backwards |= simulation.clock().epochMicros() < beforeMicros;
            beforeMicros = simulation.clock().epochMicros();
        }

        assertThat(backwards).isTrue();
    }

    @Test
    void shouldLetNodesDisagreeAboutTheWallClock() {
        Simulation simulation = new Simulation(5);
        SimulatedClock first = simulation.clock("n1");
        SimulatedClock second = simulation.clock("n2");
        second.jumpWallClock(5_000);

        simulation.runFor(1_000_000);

        assertThat(second.epochMicros() - first.epochMicros()).isEqualTo(5_000);
        assertThat(second.nanoTime())
                .isEqualTo(first.nanoTime())
                .isEqualTo(simulation.clock().nanoTime());
        assertThat(simulation.clock("n1")).isSameAs(first);
    }

    @Test
    void shouldNotRunAPausedNodeNotEvenTheEndOfItsCalls() {
        Simulation simulation = new Simulation(5);
        List<Long> ranAtNs = new ArrayList<>();
        List<Long> othersRanAtNs = new ArrayList<>();
        simulation.add("n1", agent("a", nowNs -> {
            ranAtNs.add(nowNs);
            simulation.stall(1_000_000);
            ranAtNs.add(simulation.clock().nanoTime());
            return 1;
        }));
        simulation.add("n2", agent("b", nowNs -> {
            othersRanAtNs.add(nowNs);
            if (othersRanAtNs.size() == 10) {
                simulation.pause("n1", 500_000_000);
            }
            return 1;
        }));

        simulation.runFor(2_000_000_000);

        long pausedAtNs = othersRanAtNs.get(9);
        assertThat(ranAtNs).noneMatch(ns -> ns > pausedAtNs && ns < pausedAtNs + 500_000_000);
        assertThat(ranAtNs).anyMatch(ns -> ns > pausedAtNs);
        assertThat(othersRanAtNs).anyMatch(ns -> ns > pausedAtNs && ns < pausedAtNs + 500_000_000);
    }

    @Test
    void shouldPauseNodesAtTheRateGivenAndStillRepeat() {
        Seeds.forEach(
                10,
                seed -> Simulation.checkRepeats(seed, simulation -> {
                    simulation.pauses(0.01, 50_000_000).wallClockJumps(0.01, 1_000);
                    pingPong(simulation);
                    simulation.event(
                            "clock",
                            simulation.clock().epochMicros(),
                            simulation.clock().nanoTime());
                }));
    }

    @Test
    void shouldPassTheSimulatedTime() {
        Simulation simulation = new Simulation(5);
        long[] lastNs = {0};
        simulation.add(agent("a", nowNs -> {
            assertThat(nowNs).isEqualTo(simulation.clock().nanoTime()).isGreaterThan(lastNs[0]);
            lastNs[0] = nowNs;
            return 1;
        }));
        long startNs = simulation.clock().nanoTime();

        simulation.runFor(100_000_000);

        assertThat(simulation.clock().nanoTime() - startNs).isGreaterThanOrEqualTo(100_000_000);
    }

    /** Two agents that hand numbers to each other, with a random source each. */
    private static void pingPong(Simulation simulation) {
        SpscRing<Long> there = new SpscRing<>(4);
        SpscRing<Long> back = new SpscRing<>(4);
        simulation.add(handler("ping", simulation, back, there));
        simulation.add(handler("pong", simulation, there, back));
        there.offer(1L);
        simulation.run(500);
    }

    private static Agent handler(String name, Simulation simulation, SpscRing<Long> in, SpscRing<Long> out) {
        Randomness random = simulation.randomness();
        return agent(name, nowNs -> {
            Long number = in.poll();
            if (number == null) {
                return 0;
            }
            simulation.event("got", number, nowNs);
            out.offer(number + random.nextInt(10));
            return 1;
        });
    }

    private static Agent agent(String name, LongToIntFunction cycle) {
        return new Agent() {
            @Override
            public String roleName() {
                return name;
            }

            @Override
            public int doWork(long nowNs) {
                return cycle.applyAsInt(nowNs);
            }
        };
    }
}
