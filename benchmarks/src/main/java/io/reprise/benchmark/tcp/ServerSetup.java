package io.reprise.benchmark.tcp;

import io.reprise.benchmark.drive.NamedWorkload;
import io.reprise.workload.Workload;
import io.reprise.workload.ycsb.YcsbOptions.Mix;
import java.util.List;

/**
 * The setup on which both processes have to agree.
 *
 * @param workload its workload
 * @param mix YCSB's
 * @param partitions number of sites
 * @param log the logging of commands
 * @param snapshotSeconds time between snapshots; 0: none
 * @param atHome whether transactions keep to one partition: TPC-C without remote warehouses
 * @param encrypted whether calls go over TLS
 */
record ServerSetup(
        NamedWorkload workload,
        Mix mix,
        int partitions,
        Log log,
        int snapshotSeconds,
        boolean atHome,
        boolean encrypted) {
    static ServerSetup of(NamedWorkload workload, int partitions, Log log) {
        return new ServerSetup(workload, Mix.A, partitions, log, 0, false, false);
    }

    ServerSetup with(Mix newMix) {
        return new ServerSetup(workload, newMix, partitions, log, snapshotSeconds, atHome, encrypted);
    }

    ServerSetup withSnapshotsEvery(int seconds) {
        return new ServerSetup(workload, mix, partitions, log, seconds, atHome, encrypted);
    }

    ServerSetup keptAtHome(boolean newAtHome) {
        return new ServerSetup(workload, mix, partitions, log, snapshotSeconds, newAtHome, encrypted);
    }

    ServerSetup encrypted(boolean newEncrypted) {
        return new ServerSetup(workload, mix, partitions, log, snapshotSeconds, atHome, newEncrypted);
    }

    /** The workload in its usual size. */
    Workload instance() {
        int size = workload.usualSize();
        return atHome ? workload.atHome(size, mix) : workload.workload(size, mix);
    }

    /** For the other process's command line. */
    List<String> words() {
        return List.of(
                workload.name(),
                mix.name(),
                String.valueOf(partitions),
                log.name(),
                String.valueOf(snapshotSeconds),
                String.valueOf(atHome),
                String.valueOf(encrypted));
    }

    static ServerSetup of(List<String> words) {
        return new ServerSetup(
                NamedWorkload.valueOf(words.get(0)),
                Mix.valueOf(words.get(1)),
                Integer.parseInt(words.get(2)),
                Log.valueOf(words.get(3)),
                Integer.parseInt(words.get(4)),
                Boolean.parseBoolean(words.get(5)),
                Boolean.parseBoolean(words.get(6)));
    }
}
