package io.reprise.engine;

import io.reprise.execution.ProcedureMeter;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.SlowTransactions;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.metric.Distribution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * An engine's meters: of its sites, and of its procedures at each of them. A procedure keeps its meters when it is
 * replaced, and also when it is dropped, because counts never fall.
 */
final class EngineMeters {
    private final List<SiteMeter> sites = new ArrayList<>();
    private final SlowTransactions slow;
    private final Map<String, ProcedureMeter[]> procedures = new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER);
    private final LongAdder[] refused = new LongAdder[ErrorCode.values().length];

    EngineMeters(EngineSettings settings) {
        slow = new SlowTransactions(settings.limits().slowAfter().toNanos());
        for (int i = 0; i < settings.layout().sites(); i++) {
            sites.add(new SiteMeter(i, settings.clock(), slow));
        }
        for (int i = 0; i < refused.length; i++) {
            refused[i] = new LongAdder();
        }
    }

    List<SiteMeter> sites() {
        return sites;
    }

    SlowTransactions slow() {
        return slow;
    }

    /** Measures the schema's procedures from now on; before the first call. */
    void measure(Schema schema) {
        schema.works().forEach(this::measure);
    }

    /** The same for an ad hoc statement. */
    void measureAdHoc(Work statement) {
        measure(EngineMetrics.AD_HOC, statement);
    }

    private void measure(String name, Work work) {
        work.measureBy(procedures.computeIfAbsent(name, this::ofEachSite));
    }

    private ProcedureMeter[] ofEachSite(String name) {
        ProcedureMeter[] meters = new ProcedureMeter[sites.size()];
        for (int i = 0; i < meters.length; i++) {
            meters[i] = new ProcedureMeter(name);
        }
        return meters;
    }

    /** Any thread: a call was refused before it began. */
    void refused(ErrorCode why) {
        refused[why.ordinal()].increment();
    }

    SequencedMap<ErrorCode, Long> refused() {
        SequencedMap<ErrorCode, Long> counts = new LinkedHashMap<>();
        for (ErrorCode code : ErrorCode.values()) {
            long count = refused[code.ordinal()].sum();
            if (count > 0) {
                counts.put(code, count);
            }
        }
        return counts;
    }

    List<EngineMetrics.ProcedureMetrics> procedures() {
        List<EngineMetrics.ProcedureMetrics> metrics = new ArrayList<>();
        procedures.forEach((name, meters) -> metrics.add(together(name, meters)));
        return metrics;
    }

    private static EngineMetrics.ProcedureMetrics together(String name, ProcedureMeter[] meters) {
        long committed = 0;
        SequencedMap<ErrorCode, Long> failed = new LinkedHashMap<>();
        Distribution latency = Distribution.EMPTY;
        Distribution execution = Distribution.EMPTY;
        for (ProcedureMeter meter : meters) {
            committed += meter.committed();
            latency = latency.plus(meter.latency());
            execution = execution.plus(meter.execution());
            for (ErrorCode code : ErrorCode.values()) {
                if (meter.failed(code) > 0) {
                    failed.merge(code, meter.failed(code), Long::sum);
                }
            }
        }
        return new EngineMetrics.ProcedureMetrics(name, committed, failed, latency, execution);
    }

    long slowUntold() {
        return sites.stream().mapToLong(SiteMeter::slowUntold).sum();
    }
}
