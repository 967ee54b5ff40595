package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.Durability;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogStats;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A database under the highest load, with snapshots as a node makes them, that is killed in the midst of it. Its workload is Smallbank,
 * whose tables keep their size. It is told the number of customers and the folder, and then how many seconds to run.
 */
public final class FullRateTask implements ForkedTask {
    private static final long MEMORY = 2L << 30;
    private static final int WINDOW = 4_096;

    private EngineRun run;

    /** Nothing is open. */
    public FullRateTask() {}

    @Override
    public void open(List<String> words) {
        Smallbank workload = new Smallbank(SmallbankOptions.uniform(Integer.parseInt(words.get(0))));
        run = EngineRun.load(EngineRun.Setup.inMemory(workload, 1, MEMORY)
                .withWindow(WINDOW)
                .in(Path.of(words.get(1)), Durability.standard().with(LoggingMethod.COMMAND)));
        run.start();
    }

    @Override
    public Map<String, Double> answer(List<String> request) {
        double seconds = Double.parseDouble(request.getFirst());
        LogStats log = run.engine().logStats().orElseThrow();
        long before = log.records();
        EngineRun.sleep(seconds);
        return Map.of("rate", (log.records() - before) / seconds);
    }

    /** Dies while transactions run. */
    @Override
    public void close() {
        if (run != null) {
            Runtime.getRuntime().halt(0);
        }
    }
}
