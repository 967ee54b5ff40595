/**
 * Moving parts as agents: an {@link io.reprise.runtime.agent.Agent} does a little work each time it is asked, and who
 * asks it (a thread of its own, another agent, a seeded scheduler in a test) is not its concern.
 *
 * <p>Agents hand work to each other by bounded rings ({@link io.reprise.runtime.agent.SpscRing},
 * {@link io.reprise.runtime.agent.MpscRing}); a full ring refuses, and it is the producer who decides what that means.
 * A consumer that has nothing to do parks, and a ring that knows the consumer's {@link io.reprise.runtime.agent.Waker}
 * wakes it. Nothing here blocks but the idle strategies, on the thread that they idle.
 *
 * <p>Read {@link io.reprise.runtime.agent.Agent}, {@link io.reprise.runtime.agent.AgentRunner} and
 * {@link io.reprise.runtime.agent.Waker} first.
 */
package io.reprise.runtime.agent;
