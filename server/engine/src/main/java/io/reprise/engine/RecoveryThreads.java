package io.reprise.engine;

import io.reprise.runtime.FailureHandler;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentHangsException;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.IdleStrategy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one attempt to recover. Their resources may be given back only when all of them have ended: memory
 * that is taken from under a thread ends the process. A thread that hangs, in a read of a disk that does not answer,
 * keeps its resources until the process ends; the attempt fails with its first failure, or with that.
 *
 * <p>The recovering thread's.
 */
final class RecoveryThreads {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");

    private final EngineSettings settings;

    /** The first that has not ended in time, or null. */
    private AgentHangsException hanging;

    RecoveryThreads(EngineSettings settings) {
        this.settings = settings;
    }

    AgentRunner runner(String suffix, Agent agent, IdleStrategy idle, FailureHandler onFatal) {
        return new AgentRunner(settings.name() + suffix, agent, idle, settings.clock(), onFatal);
    }

    /** Ends all of these, in the time that one may take. Those that don't end are named in the node's log. */
    void end(List<AgentRunner> runners) {
        for (AgentHangsException each :
                AgentRunner.closeAll(runners, settings.recovery().closeMs())) {
            LOG.error("Memory and files of a hanging recovery thread stay in use until the process ends", each);
            hanging = hanging == null ? each : hanging;
        }
    }

    /** Whether all that were to end have done so. */
    boolean haveEnded() {
        return hanging == null;
    }

    /** Throws if one hangs: its later effect on the partitions is not known. */
    void requireEnded() {
        if (hanging != null) {
            throw hanging;
        }
    }
}
