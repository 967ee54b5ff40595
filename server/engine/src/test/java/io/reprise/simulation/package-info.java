/**
 * The simulated machine: a clock that is moved by hand, a disk that fails, tears and forgets, and a scheduler that runs
 * any set of agents in one thread in an order drawn from a seed. The same seed gives the same run, trace and end.
 *
 * <p>It lives with the tests because nothing that ships may depend on it. One thread runs all of it.
 *
 * <p>Read {@link io.reprise.simulation.Simulation} first, then {@link io.reprise.simulation.SimulatedFileStore}, whose
 * fault model is that of {@code docs/internals/simulation.md}; {@link io.reprise.simulation.Seeds} runs a test with many seeds.
 */
package io.reprise.simulation;
