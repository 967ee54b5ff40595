package io.reprise.engine;

import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.Waker;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Threads of an engine.
 *
 * @param ofSites whether each site has a thread; if not, the calling thread runs all sites
 * @param idle the idling of a site's thread without work
 * @param replies completes the futures of asynchronous calls
 * @param siteAgents further agents on each site's thread
 */
record ThreadSettings(
        boolean ofSites, Function<Waker, IdleStrategy> idle, Executor replies, List<SiteAgent> siteAgents) {
    ThreadSettings {
        siteAgents = List.copyOf(siteAgents);
    }
}
