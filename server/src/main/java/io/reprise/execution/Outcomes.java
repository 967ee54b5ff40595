package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.snapshot.SweptOutcomes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;

/**
 * What became of calls that their clients may make again because they don't know: for each client the outcomes of its
 * calls, found by the sequence numbers that it gave them. One for each partition; owned by whoever holds that.
 *
 * <p>What wrote nothing, or was rolled back, is remembered too: a repetition may overtake the first attempt, which must not run
 * then and commit. It is not in snapshots, as it is not in the log: no attempt that has not run survives a restart. An outcome is
 * kept until its client has said that it knows it, or until the client has used {@link #WINDOW} more numbers. Where too many
 * are kept, those of the client go that has been silent for longest; what is known of it then is that its calls are not known,
 * so none is run twice. Who has not called for {@link #RETENTION_MICROS} is forgotten altogether when room is needed; a client
 * must not try for so long. Where there are {@link #MOST_CLIENTS}, the half that has been silent for longest is forgotten too.
 *
 * <p>Numbers, not objects: some tens of bytes for an outcome, in arrays that grow with what is unanswered.
 */
public final class Outcomes {
    /** So many numbers of a client may be in use at once. */
    public static final int WINDOW = 1 << 14;

    /** For so long an outcome is kept at least that its client has not confirmed. */
    public static final long RETENTION_MICROS = 3_600_000_000L;

    /** What is known of a call. */
    public enum Finding {
        /** It has not run here. */
        NEW,
        /** It has, and {@link #foundKind} and {@link #foundWord} tell what it returned. */
        COMMITTED,
        /** It was rolled back, and {@link #foundError} tells why. */
        FAILED,
        /** It is so old that nothing is known of it any more. */
        FORGOTTEN
    }

    private static final int LEAST_CLIENTS = 16;
    private static final int MANY_CLIENTS = 1 << 12;

    /** So many clients are known at once; a client that is not among the half that called last may be forgotten. */
    static final int MOST_CLIENTS = 1 << 18;

    /** So many slots clients may have together beyond the least, which none can give back. */
    private static final int MOST_SLOTS = 1 << 22;

    /** When there are too many, so many are left: the next search for what can go is far away. */
    private static final int SLOTS_LEFT = MOST_SLOTS - MOST_SLOTS / 8;

    private static final Result.Kind[] KINDS = Result.Kind.values();
    private static final ErrorCode[] ERRORS = ErrorCode.values();

    /** The kind of what was rolled back: the word is the error's ordinal number. */
    private static final byte FAILED = ClientOutcomes.PASSING | 0x3F;

    private static final Comparator<ClientOutcomes> SILENT_FIRST = Comparator.comparingLong(of -> of.lastMicros);

    /** Open addressing by client id. */
    private ClientOutcomes[] clients = new ClientOutcomes[2 * LEAST_CLIENTS];

    private final OutcomesImage image = new OutcomesImage(() -> clients);
    private int count;
    private int slots;
    private long lookedAt;
    private Result.Kind foundKind = Result.Kind.NOTHING;
    private long foundWord;

    /**
     * Looks for a call.
     *
     * @param client the client's id
     * @param sequence the call's number
     * @param acknowledged all calls of the client with lower numbers have been answered, and it knows the answers
     */
    public Finding find(long client, long sequence, long acknowledged) {
        ClientOutcomes of = lookUp(client);
        if (of == null) {
            return Finding.NEW;
        }
        if (acknowledged > of.acknowledged) {
            image.beforeChange(of);
            of.acknowledged = acknowledged;
        }
        if (sequence < of.acknowledged || sequence <= of.highest - WINDOW) {
            return Finding.FORGOTTEN;
        }
        int slot = of.slot(sequence);
        if (of.sequences[slot] != sequence) {
            return Finding.NEW;
        }
        foundWord = of.words[slot];
        if (of.kinds[slot] == FAILED) {
            return Finding.FAILED;
        }
        foundKind = KINDS[of.kinds[slot] & ~ClientOutcomes.PASSING];
        return Finding.COMMITTED;
    }

    /** The kind of what the call returned that was found last. Of STRING and ROWS the value itself is not kept. */
    public Result.Kind foundKind() {
        return foundKind;
    }

    /** The word that the call returned that was found last. */
    public long foundWord() {
        return foundWord;
    }

    /** Why the call was rolled back that was found last. */
    public ErrorCode foundError() {
        return ERRORS[(int) foundWord];
    }

    /**
     * A call has committed what it wrote.
     *
     * @param atMicros the transaction's time
     */
    public void remember(long client, long sequence, Result.Kind kind, long word, long atMicros) {
        remember(client, sequence, (byte) kind.ordinal(), word, atMicros);
    }

    /** A call has ended well and wrote nothing. */
    public void rememberUnwritten(long client, long sequence, Result.Kind kind, long word, long atMicros) {
        remember(client, sequence, (byte) (kind.ordinal() | ClientOutcomes.PASSING), word, atMicros);
    }

    /** A call has run and was rolled back. */
    public void rememberFailed(long client, long sequence, ErrorCode error, long atMicros) {
        remember(client, sequence, FAILED, error.ordinal(), atMicros);
    }

    private void remember(long client, long sequence, byte kind, long word, long atMicros) {
        ClientOutcomes of = lookUp(client);
        if (of == null) {
            of = new ClientOutcomes(client);
            add(of, atMicros);
        } else {
            image.beforeChange(of);
        }
        of.lastMicros = Math.max(of.lastMicros, atMicros);
        put(of, sequence, kind, word);
    }

    private void put(ClientOutcomes of, long sequence, byte kind, long word) {
        int before = of.slots();
        of.put(sequence, kind, word);
        slots += of.slots() - before;
        if (slots > MOST_SLOTS) {
            shrink(of);
        }
    }

    /** Takes their outcomes from those clients that have been silent for longest, but not from this one. */
    private void shrink(ClientOutcomes but) {
        ClientOutcomes[] silent =
                Arrays.stream(known()).filter(of -> of.slots() > 0 && of != but).toArray(ClientOutcomes[]::new);
        Arrays.sort(silent, SILENT_FIRST);
        for (int i = 0; i < silent.length && slots > SLOTS_LEFT; i++) {
            image.beforeChange(silent[i]);
            slots -= silent[i].slots();
            silent[i].forget();
        }
    }

    private ClientOutcomes[] known() {
        lookedAt += clients.length;
        return Arrays.stream(clients).filter(Objects::nonNull).toArray(ClientOutcomes[]::new);
    }

    /** How many places for clients were looked at in order to make room. */
    long lookedAt() {
        return lookedAt;
    }

    /** All that is also in the log, for a snapshot. Changes may come while it is being made. */
    public SweptOutcomes image() {
        return image;
    }

    /** How many clients there are. */
    public int clients() {
        return count;
    }

    private ClientOutcomes lookUp(long client) {
        int mask = clients.length - 1;
        for (int at = spread(client) & mask; clients[at] != null; at = at + 1 & mask) {
            if (clients[at].id == client) {
                return clients[at];
            }
        }
        return null;
    }

    /** An id should be a random number, and nobody makes sure that it is. */
    private static int spread(long client) {
        return (int) (client * 0x9E37_79B9_7F4A_7C15L >>> Integer.SIZE);
    }

    private void add(ClientOutcomes of, long nowMicros) {
        if (2 * count >= clients.length || count >= MOST_CLIENTS) {
            rebuild(nowMicros);
        }
        image.isNew(of);
        place(of);
    }

    private void place(ClientOutcomes of) {
        int mask = clients.length - 1;
        int at = spread(of.id) & mask;
        while (clients[at] != null) {
            at = at + 1 & mask;
        }
        clients[at] = of;
        count++;
        slots += of.slots();
    }

    /**
     * Makes room for half as many clients again at least, so that it is rarely done; where there are many, those that were
     * silent for long go first.
     */
    private void rebuild(long nowMicros) {
        ClientOutcomes[] kept = known();
        if (count >= MANY_CLIENTS) {
            long since = Math.max(nowMicros - RETENTION_MICROS, count < MOST_CLIENTS ? 0 : median(kept) + 1);
            kept = Arrays.stream(kept).filter(of -> of.lastMicros >= since).toArray(ClientOutcomes[]::new);
        }
        clients = new ClientOutcomes[Integer.highestOneBit(3 * Math.max(kept.length, LEAST_CLIENTS)) << 1];
        count = 0;
        slots = 0;
        for (ClientOutcomes of : kept) {
            place(of);
        }
    }

    /** When the last of that half called that has been silent for longest. */
    private static long median(ClientOutcomes[] of) {
        long[] times = Arrays.stream(of).mapToLong(each -> each.lastMicros).toArray();
        Arrays.sort(times);
        return times[times.length / 2 - 1];
    }

    /** Adds what {@link #image} gave. */
    public void decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (from.hasRemaining()) {
            long client = from.getLong();
            long lastMicros = from.getLong();
            long acknowledged = from.getLong();
            long highest = from.getLong();
            ClientOutcomes of = lookUp(client);
            if (of == null) {
                of = new ClientOutcomes(client);
                add(of, lastMicros);
            }
            of.lastMicros = Math.max(of.lastMicros, lastMicros);
            of.acknowledged = Math.max(of.acknowledged, acknowledged);
            for (int i = from.getInt(); i > 0; i--) {
                put(of, from.getLong(), from.get(), from.getLong());
            }
            of.highest = Math.max(of.highest, highest);
        }
    }
}
