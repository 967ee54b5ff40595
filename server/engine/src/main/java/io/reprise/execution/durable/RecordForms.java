package io.reprise.execution.durable;

import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.durable.adaptive.LoggedForm;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.storage.PartitionStore;

/** The forms of the records of a site's transactions, by the logging method and the pins of procedures. Owned by the site's thread. */
final class RecordForms {
    private final LocalPartitions partitions;
    private final LoggingMethod method;
    private final SiteMeter meter;

    /** The choice of the adaptive method, and the stores by slot; otherwise null. */
    private LoggingChooser chooser;

    private PartitionStore[] footprints;

    /** Whether the footprint of the transaction that was asked about last has its writes. */
    private boolean toldWrites;

    RecordForms(LocalPartitions partitions, LoggingMethod method, SiteMeter meter) {
        this.partitions = partitions;
        this.method = method;
        this.meter = meter;
    }

    /** Chooses by the adaptive method. Called before any transaction; the stores collect footprints. */
    void chooseBy(LoggingChooser newChooser, PartitionStore[] stores) {
        chooser = newChooser;
        footprints = stores;
    }

    /** The form of the record of a transaction that wrote something. */
    LoggedForm of(Partition at, Execution execution) {
        toldWrites = false;
        return switch (execution.work().logging()) {
            case COMMAND -> LoggedForm.COMMAND;
            case DATA -> LoggedForm.DATA;
            case AS_CONFIGURED ->
                switch (method) {
                    case COMMAND -> LoggedForm.COMMAND;
                    case PHYSIOLOGICAL -> LoggedForm.DATA;
                    case BOUNDARY -> mayCut(at, execution) ? LoggedForm.BOUNDARY : LoggedForm.COMMAND;
                    case ADAPTIVE -> chosen(at, execution);
                };
        };
    }

    /** Whether the transaction ran over several partitions, and all of its answers from elsewhere are known. */
    private static boolean mayCut(Partition at, Execution execution) {
        return execution.participantCount() > 1 && at.lent().answers().suffice(execution);
    }

    /** A candidate's writes enter its footprint before its record, because its frequency depends on them. */
    private LoggedForm chosen(Partition at, Execution execution) {
        int version = execution.work().version();
        int count = execution.participantCount();
        boolean cuts = mayCut(at, execution);
        LoggedForm atOnce = chooser.atOnce(version, count > 1, cuts, execution.id());
        if (atOnce != null) {
            return atOnce;
        }
        if (!chooser.isCandidate(version, count > 1, cuts)) {
            return LoggedForm.COMMAND;
        }
        double home = 0;
        double elsewhere = 0;
        for (int i = 0; i < count; i++) {
            PartitionStore store = footprints[partitions.slotOf(execution.participant(i))];
            int mark = store.footprint().mark();
            store.tellWrites();
            double frequency = chooser.frequency(store.footprint(), mark);
            if (execution.participant(i) == at.id()) {
                home += frequency;
            } else {
                elsewhere += frequency;
            }
        }
        toldWrites = true;
        return chooser.choose(version, count > 1, cuts, home + elsewhere, elsewhere, meter.nowNs());
    }

    /** Whether the footprint of the transaction that was asked about last has its writes. */
    boolean hasToldWrites() {
        return toldWrites;
    }
}
