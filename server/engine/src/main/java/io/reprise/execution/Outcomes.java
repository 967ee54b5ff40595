package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.snapshot.SweptOutcomes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The outcomes of numbered calls, so that a repeated call is answered instead of run again. Clients are found by their ids, calls
 * by the sequence numbers that their clients gave them. Each partition has one; its owner is the partition's owner.
 *
 * <p>Calls that wrote nothing or were rolled back are remembered too: a repetition may overtake the first attempt, which then
 * must not commit. Those outcomes are in neither log nor snapshots, because no waiting attempt survives a restart.
 *
 * <p>An outcome stays until its client confirms it or uses {@link #WINDOW} more numbers. Beyond {@link #MOST_SLOTS} the outcomes of
 * the clients that called least recently are dropped, and their repetitions are rejected rather than run. Beyond {@link
 * #MOST_CLIENTS} the half of the clients that called least recently is dropped altogether.
 *
 * <p>"Least recently" is the order of transaction ids. No clock decides what is dropped: a wall clock that jumps changes nothing,
 * and a replay drops what the original run dropped.
 *
 * <p>Outcomes are numbers in arrays, some tens of bytes each; the arrays grow with the unconfirmed calls.
 */
public final class Outcomes {
    /** The most numbers that a client may have in use. */
    public static final int WINDOW = 1 << 14;

    /** The result of a search for a call. */
    public enum Finding {
        /** It has not run here. */
        NEW,
        /** It committed and returned {@link #foundKind} and {@link #foundWord}. */
        COMMITTED,
        /** It was rolled back for the reason {@link #foundError}. */
        FAILED,
        /** Its outcome was dropped; it must not run. */
        FORGOTTEN
    }

    private static final int LEAST_CLIENTS = 16;

    /** The most clients known at once; a client outside of the half that called last may be dropped. */
    static final int MOST_CLIENTS = 1 << 18;

    /** The most slots of all clients together, beyond the least that each one keeps. */
    private static final int MOST_SLOTS = 1 << 22;

    /** The slots left by a search for droppable outcomes, so that the next search is far away. */
    private static final int SLOTS_LEFT = MOST_SLOTS - MOST_SLOTS / 8;

    private static final Result.Kind[] KINDS = Result.Kind.values();
    private static final ErrorCode[] ERRORS = ErrorCode.values();

    /** The kind of a rolled back call; its word is the error's ordinal. */
    private static final byte FAILED = ClientOutcomes.PASSING | 0x3F;

    private static final Comparator<ClientOutcomes> LEAST_RECENT_FIRST =
            Comparator.comparingLong(of -> of.lastTransaction);

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

    /** The kind of result of the call found last. Values of kinds STRING and ROWS are not kept. */
    public Result.Kind foundKind() {
        return foundKind;
    }

    /** The result word of the call found last. */
    public long foundWord() {
        return foundWord;
    }

    /** The error of the call found last. */
    public ErrorCode foundError() {
        return ERRORS[(int) foundWord];
    }

    /**
     * Remembers a call that committed writes.
     *
     * @param transaction the id of the call's transaction
     */
    public void remember(long client, long sequence, Result.Kind kind, long word, long transaction) {
        remember(client, sequence, (byte) kind.ordinal(), word, transaction);
    }

    /** Remembers a call that committed and wrote nothing. */
    public void rememberUnwritten(long client, long sequence, Result.Kind kind, long word, long transaction) {
        remember(client, sequence, (byte) (kind.ordinal() | ClientOutcomes.PASSING), word, transaction);
    }

    /** Remembers a call that was rolled back. */
    public void rememberFailed(long client, long sequence, ErrorCode error, long transaction) {
        remember(client, sequence, FAILED, error.ordinal(), transaction);
    }

    /**
     * Gives the outcome of a call that has run before, or a failure if that is not known. Returns false if the call is new, and
     * changes nothing then.
     */
    public boolean answer(Request request, Outcome into) {
        switch (find(request.client(), request.sequence(), request.acknowledged())) {
            case NEW -> {
                return false;
            }
            case COMMITTED -> answerAgain(into);
            case FAILED ->
                into.fail(
                        foundError(),
                        "the call was made before and failed for the reason that the code tells; it was rolled back, and"
                                + " was not run again");
            case FORGOTTEN ->
                into.fail(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "the call is so old that the server does not know any more whether it was run; it was not run now");
        }
        return true;
    }

    private void answerAgain(Outcome into) {
        into.ranBefore();
        Result result = into.result();
        switch (foundKind) {
            case NOTHING -> result.nothing();
            case INTEGER -> result.integer(foundWord);
            case BOOLEAN -> result.bool(foundWord != 0);
            case DOUBLE -> result.number(Double.longBitsToDouble(foundWord));
            case STRING, ROWS ->
                into.fail(
                        ErrorCode.RESULT_LOST,
                        "the call was made before and committed, but only numbers that calls return are kept: what it"
                                + " returned is lost");
        }
    }

    /**
     * Remembers an outcome. Failures are remembered too, because the first attempt may arrive after its repetition; retryable ones
     * are not.
     *
     * @param wrote whether the call wrote, so that the log has the outcome
     */
    void remember(Request request, Outcome outcome, boolean wrote, long transaction) {
        long client = request.client();
        long sequence = request.sequence();
        Result result = outcome.result();
        if (!outcome.succeeded()) {
            if (!outcome.error().retryable() && !outcome.stale()) {
                rememberFailed(client, sequence, outcome.error(), transaction);
            }
        } else if (wrote) {
            remember(client, sequence, result.kind(), result.word(), transaction);
        } else {
            rememberUnwritten(client, sequence, result.kind(), result.word(), transaction);
        }
    }

    private void remember(long client, long sequence, byte kind, long word, long transaction) {
        ClientOutcomes of = lookUp(client);
        if (of == null) {
            of = new ClientOutcomes(client);
            add(of);
        } else {
            image.beforeChange(of);
        }
        of.lastTransaction = Math.max(of.lastTransaction, transaction);
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

    /** Drops the outcomes of the clients that called least recently, except this one. */
    private void shrink(ClientOutcomes but) {
        ClientOutcomes[] droppable =
                Arrays.stream(known()).filter(of -> of.slots() > 0 && of != but).toArray(ClientOutcomes[]::new);
        Arrays.sort(droppable, LEAST_RECENT_FIRST);
        for (int i = 0; i < droppable.length && slots > SLOTS_LEFT; i++) {
            image.beforeChange(droppable[i]);
            slots -= droppable[i].slots();
            droppable[i].forget();
        }
    }

    private ClientOutcomes[] known() {
        lookedAt += clients.length;
        return Arrays.stream(clients).filter(Objects::nonNull).toArray(ClientOutcomes[]::new);
    }

    /** The places visited by searches for room. */
    long lookedAt() {
        return lookedAt;
    }

    /** The outcomes that are also in the log, for a snapshot; changes may come while it is made. */
    public SweptOutcomes image() {
        return image;
    }

    /** The number of clients known. */
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

    /** Spreads ids, which should be random numbers but need not be. */
    private static int spread(long client) {
        return (int) (client * 0x9E37_79B9_7F4A_7C15L >>> Integer.SIZE);
    }

    private void add(ClientOutcomes of) {
        if (2 * count >= clients.length || count >= MOST_CLIENTS) {
            rebuild();
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

    /** Makes room for half as many clients again at least, so that it is rarely done. */
    private void rebuild() {
        ClientOutcomes[] kept = known();
        if (count >= MOST_CLIENTS) {
            Arrays.sort(kept, LEAST_RECENT_FIRST);
            kept = Arrays.copyOfRange(kept, kept.length / 2, kept.length);
        }
        clients = new ClientOutcomes[Integer.highestOneBit(3 * Math.max(kept.length, LEAST_CLIENTS)) << 1];
        count = 0;
        slots = 0;
        for (ClientOutcomes of : kept) {
            place(of);
        }
    }

    /** Passes all outcomes that are also in the log, in pieces of about {@code most} bytes, as {@link #decode} reads them. */
    public void encode(int most, Consumer<byte[]> pieces) {
        encode(-1, most, pieces);
    }

    /** The same for clients with calls behind a transaction only. */
    public void encode(long since, int most, Consumer<byte[]> pieces) {
        ByteBuffer piece = ByteBuffer.allocate(most).order(ByteOrder.LITTLE_ENDIAN);
        for (ClientOutcomes of : clients) {
            if (of == null || of.lastTransaction <= since) {
                continue;
            }
            if (piece.remaining() < of.mostBytes()) {
                pieces.accept(Arrays.copyOf(piece.array(), piece.position()));
                piece = ByteBuffer.allocate(Math.max(most, of.mostBytes())).order(ByteOrder.LITTLE_ENDIAN);
            }
            of.encode(piece);
        }
        pieces.accept(Arrays.copyOf(piece.array(), piece.position()));
    }

    /**
     * Drops the outcomes that are not in the log: a partition that another node leads from now on answers those calls anew.
     */
    public void forgetPassing() {
        for (ClientOutcomes of : clients) {
            if (of != null) {
                image.beforeChange(of);
                of.forgetPassing();
            }
        }
    }

    /** Drops everything, for an image that replaces it. */
    public void clear() {
        for (ClientOutcomes of : clients) {
            if (of != null) {
                image.beforeChange(of);
            }
        }
        clients = new ClientOutcomes[2 * LEAST_CLIENTS];
        count = 0;
        slots = 0;
    }

    /** Adds the clients of an {@link #image}. */
    public void decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (from.hasRemaining()) {
            long client = from.getLong();
            long lastTransaction = from.getLong();
            long acknowledged = from.getLong();
            long highest = from.getLong();
            ClientOutcomes of = lookUp(client);
            if (of == null) {
                of = new ClientOutcomes(client);
                add(of);
            }
            of.lastTransaction = Math.max(of.lastTransaction, lastTransaction);
            of.acknowledged = Math.max(of.acknowledged, acknowledged);
            for (int i = from.getInt(); i > 0; i--) {
                put(of, from.getLong(), from.get(), from.getLong());
            }
            of.highest = Math.max(of.highest, highest);
        }
    }
}
