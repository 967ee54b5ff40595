package io.reprise.archive;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The archived snapshots and pieces of log of one database, as their names tell. Immutable; it shows the archive as it was when it was
 * read.
 */
public final class ArchiveCatalog {
    static final String LOG = "log";

    private static final Pattern SNAPSHOT = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern DATABASE = Pattern.compile("[0-9a-f]{32}");

    private final ObjectStore objects;
    private final DatabaseId database;
    private final List<Long> snapshots;
    private final List<PieceName> pieces;

    private ArchiveCatalog(ObjectStore objects, DatabaseId database, List<Long> snapshots, List<PieceName> pieces) {
        this.objects = objects;
        this.database = database;
        this.snapshots = List.copyOf(snapshots);
        this.pieces = List.copyOf(pieces);
    }

    /** The databases of which there is something in the archive, in the order of their ids. */
    public static List<DatabaseId> databases(ObjectStore objects) {
        return objects.list("").stream()
                .filter(name -> DATABASE.matcher(name).matches())
                .map(ArchiveCatalog::database)
                .toList();
    }

    /** The database of that id, which may be abbreviated; without one the only database of the archive. */
    public static DatabaseId choose(ObjectStore objects, Optional<String> id) {
        List<DatabaseId> all = databases(objects);
        List<DatabaseId> chosen = all.stream()
                .filter(each -> each.toString().startsWith(id.orElse("")))
                .toList();
        if (chosen.size() != 1) {
            throw new IllegalArgumentException(
                    all.isEmpty()
                            ? "there is no database in the archive " + objects.place()
                            : "name one database by --database: the archive has "
                                    + String.join(
                                            ", ",
                                            all.stream()
                                                    .map(DatabaseId::toString)
                                                    .toList()));
        }
        return chosen.getFirst();
    }

    private static DatabaseId database(String name) {
        return new DatabaseId(HexFormat.fromHexDigitsToLong(name, 0, 16), HexFormat.fromHexDigitsToLong(name, 16, 32));
    }

    /** Reads the names. */
    public static ArchiveCatalog read(ObjectStore objects, DatabaseId database) {
        List<Long> snapshots = new ArrayList<>();
        for (String name : objects.list(database + "/" + SnapshotDirectory.ROOT)) {
            if (SNAPSHOT.matcher(name).matches()
                    && objects.exists(snapshotFolder(database, name) + "/" + SnapshotDirectory.MANIFEST)) {
                snapshots.add(HexFormat.fromHexDigitsToLong(name));
            }
        }
        List<PieceName> pieces = new ArrayList<>();
        for (String name : objects.list(logFolder(database))) {
            PieceName.parse(name).ifPresent(pieces::add);
        }
        pieces.sort(null);
        return new ArchiveCatalog(objects, database, snapshots.reversed(), pieces);
    }

    static String logFolder(DatabaseId database) {
        return database + "/" + LOG;
    }

    static String snapshotFolder(DatabaseId database, String name) {
        return database + "/" + SnapshotDirectory.ROOT + "/" + name;
    }

    /** The database. */
    public DatabaseId database() {
        return database;
    }

    /** The ids of whole snapshots, newest first. */
    public List<Long> snapshots() {
        return snapshots;
    }

    /** The pieces of log, by position. */
    public List<PieceName> pieces() {
        return pieces;
    }

    /** The position up to which there is log; 0 if there is none. */
    public long end() {
        return pieces.isEmpty() ? 0 : pieces.getLast().end();
    }

    /** The position from which the log is there up to its end without a gap. */
    public long start() {
        if (pieces.isEmpty()) {
            return 0;
        }
        long start = pieces.getLast().begin();
        for (PieceName piece : pieces.reversed()) {
            if (piece.end() == start) {
                start = piece.begin();
            }
        }
        return start;
    }

    /** The pieces that have the log from a position on, up to the first gap; none if the position itself is missing. */
    public List<PieceName> from(long position) {
        List<PieceName> chain = new ArrayList<>();
        for (PieceName piece : pieces) {
            boolean first = chain.isEmpty() && piece.begin() <= position && piece.end() > position;
            if (first || !chain.isEmpty() && piece.begin() == chain.getLast().end()) {
                chain.add(piece);
            }
        }
        return chain;
    }

    /**
     * The pieces that have the log behind a snapshot, from the beginning of the segment that its place is in. Throws {@link
     * DamagedArchiveException} if they don't reach that place.
     */
    public List<PieceName> behind(Manifest manifest) {
        long place = manifest.origin().logPosition();
        List<PieceName> around = from(place - 1);
        List<PieceName> all =
                around.isEmpty() ? around : from(piece(around.getFirst()).segment());
        if (all.isEmpty() || all.getLast().end() < place) {
            throw new DamagedArchiveException("The log from position 0x" + Long.toHexString(place)
                    + " on is missing in the archive, or was not archived yet.");
        }
        return all;
    }

    /** The archived snapshot, as readers of snapshots see it. */
    public DetachedSnapshot snapshot(long id) {
        String name = SnapshotDirectory.name(id);
        FileStore files = ObjectFiles.of(objects, snapshotFolder(database, name), name);
        return DetachedSnapshot.in(files, name);
    }

    /** The manifest of an archived snapshot. */
    public Manifest manifest(long id) {
        return snapshot(id).manifest();
    }

    /** The footer of a piece. */
    LogPiece piece(PieceName name) {
        try (DataFile file = open(name)) {
            return LogPiece.read(file, database, name);
        }
    }

    DataFile open(PieceName name) {
        return objects.open(logFolder(database) + "/" + name.text());
    }
}
