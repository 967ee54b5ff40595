package io.reprise.benchmark.durable;

import io.reprise.benchmark.Rate;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.fork.ForkedTask;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** In a process of its own: an engine under one of the loads, with or without a log, which is measured now and then. */
public final class LoadTask implements ForkedTask {
    private static final int WAREHOUSES = 2;
    private static final String MEASURE = "measure";
    private static final String CHECK = "check";

    private Load load;
    private EngineRun run;

    /** Opened by its process. */
    public LoadTask() {}

    /**
     * Starts a process with a loaded engine.
     *
     * @param window number of calls under way
     * @param pauseNs time between forces of the log while the site is busy
     */
    static Fork start(Load load, Logging logging, int window, long pauseNs, Path folder) {
        return Fork.start(
                LoadTask.class,
                load.name(),
                logging.name(),
                Integer.toString(window),
                Long.toString(pauseNs),
                folder.toString());
    }

    /** Lets the clients call for the two times, and measures during the second. */
    static Rate measure(Fork fork, double warmUpSeconds, double seconds) {
        Map<String, Double> rate = fork.ask(MEASURE, Double.toString(warmUpSeconds), Double.toString(seconds));
        return new Rate(rate.get("per_second"), rate.get("per_cpu_second"));
    }

    /** Fails if the database is not consistent. */
    static void check(Fork fork) {
        fork.ask(CHECK);
    }

    @Override
    public void open(List<String> words) {
        load = Load.valueOf(words.get(0));
        EngineRun.Setup setup = load.setup(WAREHOUSES).withWindow(Integer.parseInt(words.get(2)));
        run = Logging.valueOf(words.get(1)).load(setup, Path.of(words.get(4)), Long.parseLong(words.get(3)));
    }

    @Override
    public Map<String, Double> answer(List<String> request) {
        return switch (request.getFirst()) {
            case MEASURE -> measured(Double.parseDouble(request.get(1)), Double.parseDouble(request.get(2)));
            case CHECK -> {
                run.check();
                yield Map.of();
            }
            default -> throw new IllegalArgumentException("unknown request " + request);
        };
    }

    private Map<String, Double> measured(double warmUpSeconds, double seconds) {
        Rate rate = run.measure(load.workload(WAREHOUSES), warmUpSeconds, seconds);
        return Map.of("per_second", rate.perSecond(), "per_cpu_second", rate.perCpuSecond());
    }

    @Override
    public void close() {
        if (run != null) {
            run.close();
        }
    }
}
