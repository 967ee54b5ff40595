/**
 * Moving parts as agents: an {@link io.reprise.runtime.agent.Agent} does a little work each time it is asked, and who asks
 * it (a thread of its own, another agent, a seeded scheduler in a test) is not its concern.
 */
package io.reprise.runtime.agent;
