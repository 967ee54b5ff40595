package io.reprise.benchmark.engine;

import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * In a process of its own: an engine with TPC-C whose warehouses keep to themselves. Told: number of partitions,
 * number of warehouses.
 */
public final class PartitionsTask implements ForkedTask {
    private static final double SETTLING_SECONDS = 0.5;

    private Tpcc tpcc;
    private EngineRun run;

    /** Nothing is open. */
    public PartitionsTask() {}

    @Override
    public void open(List<String> words) {
        tpcc = new Tpcc(TpccOptions.standard(Integer.parseInt(words.get(1))).withRemote(0, 0));
        run = EngineRun.open(tpcc, Integer.parseInt(words.get(0)), EngineRun.MEMORY_FOR_EACH);
    }

    @Override
    public Map<String, Double> answer(List<String> request) throws Exception {
        return switch (request.getFirst()) {
            case "measure" -> Map.of("tps", measured(Double.parseDouble(request.get(1))));
            case "profile" -> {
                double seconds = Double.parseDouble(request.get(1));
                yield SiteProfile.of(Path.of(request.get(2)), SiteProfile::packageOf, () -> measured(seconds));
            }
            case "check" -> {
                run.check();
                yield Map.of();
            }
            default -> throw new IllegalArgumentException("unknown request " + request);
        };
    }

    private double measured(double seconds) {
        return run.measure(tpcc, SETTLING_SECONDS, seconds).perSecond();
    }

    @Override
    public void close() {
        if (run != null) {
            run.close();
        }
    }
}
