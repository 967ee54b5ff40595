package io.reprise.engine;

import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import java.util.function.Function;

/** Makes an agent that runs on a site's thread, before its initiator and executor. */
@FunctionalInterface
public interface SiteAgent {
    /**
     * Called while the engine opens, once for each site.
     *
     * @param ports makes a port to the site's initiator, for so many executions under way
     */
    Agent create(int site, Function<Integer, ClientPort> ports);
}
