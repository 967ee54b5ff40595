package io.reprise.engine;

import io.reprise.archive.ArchiveCatalog;
import io.reprise.archive.ArchivedLog;
import io.reprise.archive.DamagedArchiveException;
import io.reprise.archive.PieceName;
import io.reprise.engine.PastRestore.Cut;
import io.reprise.engine.PastRestore.Moment;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The origin of a restore that is an archive. It takes the newest snapshot before the moment whose log reaches the moment; if that
 * is damaged, the next older one. One thread.
 */
final class ArchiveOrigin implements PastRestore.Origin {
    private final ArchiveCatalog catalog;
    private final LogSettings log;
    private final Consumer<String> lines;

    ArchiveOrigin(ArchiveCatalog catalog, LogSettings log, Consumer<String> lines) {
        this.catalog = catalog;
        this.log = log;
        this.lines = lines;
    }

    @Override
    public Cut copyTo(FileStore work, Moment moment) {
        List<String> reasons = new ArrayList<>();
        for (long id : catalog.snapshots()) {
            if (isBefore(id, moment)) {
                try {
                    return copy(id, work, moment);
                } catch (DamagedSnapshotException | DamagedArchiveException e) {
                    String reason = "Snapshot " + SnapshotDirectory.name(id) + " can't be used: " + e.getMessage();
                    lines.accept(reason);
                    reasons.add(reason);
                    work.list("").forEach(folder -> PastRestore.remove(work, folder));
                }
            }
        }
        throw new IllegalArgumentException(
                reasons.isEmpty() ? noSnapshot() : "nothing was restored. " + String.join(" ", reasons));
    }

    private static boolean isBefore(long id, Moment moment) {
        boolean inTime = moment.time().isEmpty()
                || !PastRestore.timeOf(id).isAfter(moment.time().get());
        return inTime
                && (moment.transaction().isEmpty() || id < moment.transaction().getAsLong());
    }

    private String noSnapshot() {
        return catalog.snapshots().isEmpty()
                ? "the archive has no whole snapshot of database " + catalog.database()
                : "the archive has no snapshot before the moment; the oldest is of "
                        + PastRestore.timeOf(catalog.snapshots().getLast());
    }

    private Cut copy(long id, FileStore work, Moment moment) {
        DetachedSnapshot base = catalog.snapshot(id);
        List<PieceName> pieces = catalog.behind(base.manifest());
        List<PieceName> needed = upTo(pieces, moment);
        PastRestore.copySnapshot(base, work);
        new ArchivedLog(catalog).copyTo(work, log, needed);
        return PastRestore.cut(work, base.manifest(), needed.getLast().end(), moment);
    }

    /** The pieces up to the first one that begins behind the moment. */
    private List<PieceName> upTo(List<PieceName> pieces, Moment moment) {
        if (moment.time().isEmpty()) {
            return pieces;
        }
        Instant time = moment.time().get();
        ArchivedLog archived = new ArchivedLog(catalog);
        for (int i = 0; i < pieces.size(); i++) {
            long first = archived.times(pieces.get(i)).firstTransaction();
            if (first != 0 && PastRestore.timeOf(first).isAfter(time)) {
                return pieces.subList(0, i + 1);
            }
        }
        Instant end = Instant.EPOCH.plus(archived.times(pieces.getLast()).copiedMicros(), ChronoUnit.MICROS);
        if (end.isBefore(time)) {
            boolean gap = pieces.getLast().end() != catalog.end();
            throw new DamagedArchiveException(
                    gap
                            ? "The log from position 0x"
                                    + Long.toHexString(pieces.getLast().end())
                                    + " on is missing in the archive; before that it reaches " + end + "."
                            : "The archived log reaches " + end + " only. Leave the time out to restore to that end.");
        }
        return pieces;
    }
}
