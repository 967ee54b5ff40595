package io.reprise.simulation;

import io.reprise.runtime.EventTrace;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.Agent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs any set of agents, of one node or many, in the calling thread, one duty cycle at a time, in an order and at a
 * speed drawn from the seed. Time is simulated and passes only here. Everything that happens goes into a trace; the
 * same seed gives the same trace, which {@link #checkRepeats} proves for a scenario.
 *
 * <p>An agent that throws ends its node, as a fatal failure does in production: all agents of the node are dropped
 * without being closed, then the handler given to {@link #onNodeFailure} decides; by default the failure ends the run.
 *
 * <p>A call that takes long ({@link #stall}, a slow force) lets the other agents run meanwhile, nested in it.
 */
public final class Simulation implements EventTrace {
    /** When all agents have had nothing to do for some rounds, time leaps by up to this, so that timers fire. */
    private static final long LONGEST_LEAP_NS = 10_000_000;

    private static final int IDLE_ROUNDS = 3;

    private final long seed;
    private final SimulatedClock clock = new SimulatedClock();
    private final Randomness random;
    private final Schedule schedule;
    private final Trace trace;
    private final List<Slot> slots = new ArrayList<>();
    private final SequencedMap<String, Node> nodes = new LinkedHashMap<>();
    private final List<SimulatedClock> clocks = new ArrayList<>(List.of(clock));

    private NodeFailureHandler failureHandler = (node, role, cause) -> {
        throw cause;
    };
    private Slot running;

    /** Behind it no node pauses. */
    private long lastPauseEndNs;

    private int slotsMade;
    private int idleSteps;
    private long leapEndNs = Long.MAX_VALUE;
    private AssertionError aborted;
    private double jumpRate;
    private long longestJumpMicros;
    private double pauseRate;
    private long longestPauseNs;

    /** Decides what follows when a node failed: start another, or throw. */
    @FunctionalInterface
    public interface NodeFailureHandler {
        /** The node's agents are dropped already. */
        void onNodeFailure(String node, String role, Throwable cause) throws Throwable;
    }

    private static final class Node {
        final String name;
        final SimulatedClock clock;
        long pausedUntilNs;

        Node(String name, SimulatedClock clock) {
            this.name = name;
            this.clock = clock;
        }
    }

    private static final class Slot {
        final int id;
        final Node node;
        final Agent agent;
        final String role;
        boolean busy;
        boolean dropped;

        Slot(int id, Node node, Agent agent) {
            this.id = id;
            this.node = node;
            this.agent = agent;
            role = agent.roleName();
        }
    }

    /** An empty simulation. */
    public Simulation(long seed) {
        this(seed, Trace.unlimited());
    }

    private Simulation(long seed, Trace trace) {
        this.seed = seed;
        this.random = new SeededRandomness(seed);
        this.schedule = new Schedule(random.fork());
        this.trace = trace;
    }

    /**
     * Runs the scenario twice with the seed; fails at the first thing that happens differently. Returns the trace hash.
     */
    public static long checkRepeats(long seed, Consumer<Simulation> scenario) {
        Simulation first = new Simulation(seed, Trace.comparable());
        scenario.accept(first);
        Simulation second = new Simulation(seed, Trace.expecting(first.trace));
        scenario.accept(second);
        if (second.trace.size() != first.trace.size()) {
            throw new AssertionError("the second run with seed " + seed + " ended after " + second.trace.size()
                    + " entries, the first after " + first.trace.size());
        }
        return first.traceHash();
    }

    /** The origin of all choices. */
    public long seed() {
        return seed;
    }

    /** The time of all nodes, and a wall clock that is right until it jumps. */
    public SimulatedClock clock() {
        return clock;
    }

    /** The clock of a node, whose wall clock can be off and jump for itself. */
    public SimulatedClock clock(String node) {
        return node(node).clock;
    }

    /** A source of randomness for a component or a workload. */
    public Randomness randomness() {
        return random.fork();
    }

    /** An empty disk whose slow calls let the other agents run. */
    public SimulatedFileStore disk() {
        return new SimulatedFileStore(random.fork(), this::stall);
    }

    /** From now on some wall clock jumps at this rate a step, forward or back, by up to so many microseconds. */
    public Simulation wallClockJumps(double rate, long longestMicros) {
        jumpRate = rate;
        longestJumpMicros = longestMicros;
        return this;
    }

    /** From now on some node pauses at this rate a step, for up to so long. */
    public Simulation pauses(double rate, long longestNs) {
        pauseRate = rate;
        longestPauseNs = longestNs;
        return this;
    }

    /**
     * Stops all agents of a node for a while, without telling them: a garbage collection, SIGSTOP, a frozen machine.
     */
    public void pause(String node, long ns) {
        Node paused = node(node);
        paused.pausedUntilNs = Math.max(paused.pausedUntilNs, clock.nanoTime() + ns);
        lastPauseEndNs = Math.max(lastPauseEndNs, paused.pausedUntilNs);
        event("pause " + node, ns, 0);
    }

    /** Decides from now on what follows when a node failed. */
    public Simulation onNodeFailure(NodeFailureHandler handler) {
        failureHandler = handler;
        return this;
    }

    /** Starts an agent of the only node. */
    public Simulation add(Agent agent) {
        return add("node", agent);
    }

    /** Starts an agent of a node. */
    public Simulation add(String node, Agent agent) {
        Slot slot = new Slot(slotsMade++, node(node), agent);
        slots.add(slot);
        inSlot(slot, () -> {
            agent.onStart();
            return 0;
        });
        return this;
    }

    /** Ends an agent in good order. */
    public void remove(Agent agent) {
        for (Slot slot : List.copyOf(slots)) {
            if (slot.agent == agent) {
                inSlot(slot, () -> {
                    agent.onClose();
                    return 0;
                });
                drop(slot);
            }
        }
    }

    /** Ends all agents of a node as a crash does: they are not told. */
    public void crash(String node) {
        for (Slot slot : List.copyOf(slots)) {
            if (slot.node.name.equals(node)) {
                drop(slot);
            }
        }
        event("crash " + node, 0, 0);
    }

    /** Runs one duty cycle of somebody. Returns how much it did. */
    public int step() {
        if (aborted != null) {
            throw aborted;
        }
        Slot slot = choose();
        if (slot == null) {
            leap();
            return 0;
        }
        int workCount = inSlot(slot, () -> slot.agent.doWork(clock.nanoTime()));
        trace.add(slot.role, slot.id, workCount);
        clock.advance(schedule.cycleNs());
        disturb();
        idleSteps = workCount == 0 ? idleSteps + 1 : 0;
        if (idleSteps > IDLE_ROUNDS * slots.size()) {
            leap();
        }
        return workCount;
    }

    /** Runs until the condition holds; fails if it doesn't within so many steps. */
    public void runUntil(BooleanSupplier condition, long maxSteps) {
        for (long steps = 0; !condition.getAsBoolean(); steps++) {
            if (steps == maxSteps) {
                throw new AssertionError("seed " + seed + ": not reached within " + maxSteps
                        + " steps; the last entries of the trace:\n" + trace.recent());
            }
            step();
        }
    }

    /** Runs for so many steps. */
    public void run(long steps) {
        for (long i = 0; i < steps; i++) {
            step();
        }
    }

    /** Runs until so much simulated time has passed. */
    public void runFor(long ns) {
        long endNs = clock.nanoTime() + ns;
        while (clock.nanoTime() < endNs) {
            step();
        }
    }

    /**
     * Lets simulated time pass for the running agent while the others run. Called by simulated devices from within a
     * duty cycle. If the agent's node fails or crashes meanwhile, this doesn't return but throws {@link
     * SimulatedPowerLoss}.
     */
    public void stall(long ns) {
        Slot stalled = running;
        long outerLeapEndNs = leapEndNs;
        long endNs = clock.nanoTime() + ns;
        leapEndNs = Math.min(leapEndNs, endNs);
        try {
            while (clock.nanoTime() < endNs || stalled != null && isPaused(stalled.node)) {
                step();
            }
        } finally {
            leapEndNs = outerLeapEndNs;
        }
        if (stalled != null && stalled.dropped) {
            throw new SimulatedPowerLoss("node " + stalled.node.name + " ended while this call was under way");
        }
    }

    /** Something happened that the agents' work counts don't show. */
    @Override
    public void event(String event, long first, long second) {
        trace.add(event, first, second);
    }

    /** Stands for everything that happened so far. */
    public long traceHash() {
        return trace.hash();
    }

    /** The last things that happened, one a line. */
    public String recentTrace() {
        return trace.recent();
    }

    @FunctionalInterface
    private interface Cycle {
        int run();
    }

    private Node node(String name) {
        return nodes.computeIfAbsent(name, absent -> {
            SimulatedClock skewed = clock.skewed(0);
            clocks.add(skewed);
            return new Node(absent, skewed);
        });
    }

    private Slot choose() {
        if (running == null && clock.nanoTime() >= lastPauseEndNs) {
            return slots.isEmpty() ? null : slots.get(schedule.next(slots.size()));
        }
        int ready = 0;
        for (Slot slot : slots) {
            ready += isReady(slot) ? 1 : 0;
        }
        if (ready == 0) {
            return null;
        }
        int before = schedule.next(ready);
        for (Slot slot : slots) {
            if (isReady(slot) && before-- == 0) {
                return slot;
            }
        }
        throw new AssertionError("chose beyond the last of " + ready);
    }

    private boolean isReady(Slot slot) {
        return !slot.busy && !isPaused(slot.node);
    }

    private boolean isPaused(Node node) {
        return clock.nanoTime() < node.pausedUntilNs;
    }

    private void disturb() {
        if (jumpRate > 0 && random.chance(jumpRate)) {
            long micros = random.nextLong(2 * longestJumpMicros + 1) - longestJumpMicros;
            clocks.get(random.nextInt(clocks.size())).jumpWallClock(micros);
        }
        if (pauseRate > 0 && !slots.isEmpty() && random.chance(pauseRate)) {
            pause(slots.get(random.nextInt(slots.size())).node.name, random.nextLong(longestPauseNs + 1));
        }
    }

    private int inSlot(Slot slot, Cycle cycle) {
        Slot outer = running;
        running = slot;
        slot.busy = true;
        try {
            return cycle.run();
        } catch (Throwable cause) {
            fail(slot, cause);
            return 0;
        } finally {
            slot.busy = false;
            running = outer;
        }
    }

    /**
     * A checker's verdict ends the run, whatever the agents on the stack do with it. The exception that unwinds an
     * agent whose node has ended meanwhile is no news. Everything else ends the node.
     */
    private void fail(Slot slot, Throwable cause) {
        if (aborted == null && cause instanceof AssertionError verdict) {
            aborted = verdict;
        }
        if (aborted != null) {
            throw aborted;
        }
        if (slot.dropped) {
            return;
        }
        crash(slot.node.name);
        try {
            failureHandler.onNodeFailure(slot.node.name, slot.agent.roleName(), cause);
        } catch (Throwable unhandled) {
            aborted = new AssertionError(
                    "seed " + seed + ": node " + slot.node.name + " failed in " + slot.agent.roleName() + ": " + cause
                            + "; the last entries of the trace:\n" + trace.recent(),
                    unhandled);
            throw aborted;
        }
    }

    private void drop(Slot slot) {
        slot.dropped = true;
        slots.remove(slot);
    }

    /** Not beyond the end of a stall, lest each call take as long as a leap. */
    private void leap() {
        long longestNs = Math.min(LONGEST_LEAP_NS, leapEndNs - clock.nanoTime());
        clock.advance(1 + random.nextLong(Math.max(1, longestNs)));
        idleSteps = 0;
    }
}
