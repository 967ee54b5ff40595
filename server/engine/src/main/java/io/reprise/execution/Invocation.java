package io.reprise.execution;

import io.reprise.execution.deploy.Arguments;
import io.reprise.id.BucketSet;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.runtime.order.Rendezvous;
import io.reprise.storage.TransactionScope;

/**
 * One transaction on its way: its work, its participants, its id, its outcome, and its reply target.
 *
 * <pre>
 *  client: work, arguments, reply target
 *    -> router: participants, bucket
 *    -> initiator: id
 *    -> executor or coordinator: outcome
 *    -> reply target
 * </pre>
 *
 * <p>Mutable and pooled, so that a call allocates nothing. Owned by one role at a time; a queue hands it over. The
 * participants of a multi-partition transaction share it, but each touches only its own part of it until they have
 * met.
 */
public final class Invocation {
    /** {@link #bucket} of a transaction that is not confined to one. */
    public static final int NO_BUCKET = -1;

    /** {@link #home} of a transaction that whichever participant comes last runs. */
    public static final int ANYWHERE = -1;

    private final int number;
    private final Arguments arguments;
    private final Result result = new Result();
    private Work work;
    private ReplyTarget replyTo;
    private long cookie;
    private long client;
    private long sequence;
    private long acknowledged;
    private long largestResult = WorkMemory.UNLIMITED;

    private BucketMap map;
    private int[] participants = new int[4];
    private int participantCount;
    private int home = ANYWHERE;
    private int bucket = NO_BUCKET;
    private int routedBucket = NO_BUCKET;
    private BucketSet routedBuckets;
    private boolean confinedToSome;

    private long id;
    private ErrorCode error;
    private String message;
    private boolean stale;
    private boolean ranBefore;
    private long writeHash;
    private int ranAt;

    private long admittedNs;
    private long beganNs;
    private long endedNs;

    private Rendezvous rendezvous;
    private Part[] parts;
    private long[] seen;
    private boolean[] staysLent;

    /** An invocation with arguments of its own. */
    public Invocation() {
        this(0);
    }

    /** The same, as one of several of an owner who tells them apart by number. */
    public Invocation(int number) {
        this.number = number;
        this.arguments = new Arguments();
    }

    /** An invocation with the given arguments. */
    public Invocation(Arguments arguments) {
        this.number = 0;
        this.arguments = arguments;
    }

    /** Its number among its owner's. */
    public int number() {
        return number;
    }

    /** For one whose result nobody reads, as when a log is replayed. */
    public Invocation withoutResult() {
        result.discard();
        return this;
    }

    /** Client: begins a new request. */
    public Invocation prepare(Work newWork, ReplyTarget newReplyTo, long newCookie) {
        work = newWork;
        replyTo = newReplyTo;
        cookie = newCookie;
        sequence = 0;
        largestResult = WorkMemory.UNLIMITED;
        id = 0;
        error = null;
        message = null;
        stale = false;
        ranBefore = false;
        ranAt = 0;
        admittedNs = 0;
        return this;
    }

    /**
     * Client: says whose call it is, so that it is run once even if it is made again.
     *
     * @param ofClient the client's id
     * @param number the client's number of the call, the same when it is made again; 0: it may run as often as it comes
     * @param knownBelow the client knows the outcome of all its calls with lower numbers
     */
    public void once(long ofClient, long number, long knownBelow) {
        client = ofClient;
        sequence = number;
        acknowledged = knownBelow;
    }

    /** Client: says how many bytes of a result can be sent at most: a statement that finds more is ended early. */
    public void limitResult(long bytes) {
        largestResult = bytes;
    }

    /** The largest number of bytes of a result that can be sent. */
    public long largestResult() {
        return largestResult;
    }

    /** Whose call it is, if it has a {@link #sequence}. */
    public long client() {
        return client;
    }

    /** The client's number of the call; 0 if it has none. */
    public long sequence() {
        return sequence;
    }

    /** The client knows the outcome of all its calls with lower numbers. */
    public long acknowledged() {
        return acknowledged;
    }

    /** The work to be run. */
    public Work work() {
        return work;
    }

    /** Sets another work, because a catalog change replaced the former one. */
    void replaceWork(Work newWork) {
        work = newWork;
    }

    /** The values that the caller passed. */
    public Arguments arguments() {
        return arguments;
    }

    /** A number of the client's own, to tell its invocations apart. */
    public long cookie() {
        return cookie;
    }

    /** Router: forgets the participants of the last transaction; the next ones are found by this map. */
    public void routeBy(BucketMap buckets) {
        if (map != buckets) {
            map = buckets;
        }
        participantCount = 0;
        home = ANYWHERE;
        bucket = NO_BUCKET;
        routedBucket = NO_BUCKET;
        confinedToSome = false;
    }

    /** Router of the engine's own works: one partition takes part, whatever a map says. */
    public void sendTo(int partition) {
        routeBy(null);
        addParticipant(partition);
    }

    /** The map by which the transaction was routed. */
    public BucketMap map() {
        return map;
    }

    /** Router: adds a partition unless it is there already; they are kept in ascending order. */
    public void addParticipant(int partition) {
        int at = participantCount;
        while (at > 0 && participants[at - 1] >= partition) {
            if (participants[--at] == partition) {
                return;
            }
        }
        if (participantCount == participants.length) {
            participants = java.util.Arrays.copyOf(participants, 2 * participantCount);
        }
        System.arraycopy(participants, at, participants, at + 1, participantCount - at);
        participants[at] = partition;
        participantCount++;
    }

    /**
     * Router: says which participant runs the transaction, and by which bucket it was chosen. Most of its rows are there,
     * and in that thread's cache.
     */
    public void runAt(int partition, int ofBucket) {
        home = partition;
        routedBucket = ofBucket;
    }

    /** The participant that runs the transaction, or {@link #ANYWHERE}: the last one to arrive. */
    public int home() {
        return home;
    }

    /** Router: confines the transaction to one bucket. */
    public void confineTo(int theBucket) {
        bucket = theBucket;
        routedBucket = theBucket;
    }

    /** Router: confines the transaction to some buckets, none at first, which are to be added. */
    public BucketSet confineToSome() {
        if (routedBuckets == null) {
            routedBuckets = new BucketSet();
        }
        routedBuckets.clear();
        confinedToSome = true;
        return routedBuckets;
    }

    /** Confines the transaction at a participant to the buckets by which it was routed, if it was: however many partitions there are. */
    void confine(TransactionScope scope) {
        if (bucket != NO_BUCKET) {
            scope.confineTo(bucket);
        } else if (confinedToSome) {
            scope.confineTo(routedBuckets);
        }
    }

    /** The bucket that the transaction is confined to, or {@link #NO_BUCKET}. Several routing parameters may name the same one. */
    public int bucket() {
        return bucket == NO_BUCKET && confinedToSome && routedBuckets.size() == 1 ? routedBuckets.get(0) : bucket;
    }

    /** The buckets that the transaction is confined to, if they are more than one; null if it isn't confined to buckets. */
    public BucketSet buckets() {
        return bucket == NO_BUCKET && confinedToSome && routedBuckets.size() > 1 ? routedBuckets : null;
    }

    /** The bucket that most of its rows are in, as far as the arguments tell; {@link #NO_BUCKET} if they don't. */
    int routedBucket() {
        return routedBucket;
    }

    /** The number of participating partitions. */
    public int participantCount() {
        return participantCount;
    }

    /** A participant, in ascending order. */
    public int participant(int position) {
        return participants[position];
    }

    /** At which position a participant stands. */
    public int positionOf(int partition) {
        for (int i = 0; i < participantCount; i++) {
            if (participants[i] == partition) {
                return i;
            }
        }
        return -1;
    }

    /** Initiator: gives the transaction its id; from now on its participants may meet. */
    public void stamp(long transactionId) {
        id = transactionId;
        if (participantCount > 1) {
            expectParticipants();
        }
    }

    private void expectParticipants() {
        // A log is not always replayed in the order of ids. A participant that still looks whether the earlier
        // transaction is over keeps its place.
        if (rendezvous == null || rendezvous.isOver(id)) {
            rendezvous = new Rendezvous();
        }
        rendezvous.expect(participantCount);
        if (seen == null || seen.length < participantCount) {
            seen = new long[participants.length];
            staysLent = new boolean[participants.length];
        }
        java.util.Arrays.fill(staysLent, false);
        if (work.splits()) {
            if (parts == null || parts.length < participantCount) {
                parts = new Part[participantCount];
                java.util.Arrays.setAll(parts, i -> new Part());
            }
            for (int i = 0; i < participantCount; i++) {
                parts[i].clear();
            }
        }
    }

    /** The transaction's id; 0 until it is stamped. */
    public long id() {
        return id;
    }

    /** The meeting of the participants. */
    public Rendezvous rendezvous() {
        return rendezvous;
    }

    /** The last to arrive: keeps no rows of what the participants have found. */
    public void emptyParts() {
        for (int i = 0; i < participantCount; i++) {
            parts[i].rows().empty();
        }
    }

    /** The contribution of the participant at that position, if the work splits. */
    public Part part(int position) {
        return parts[position];
    }

    /**
     * Records up to which position of a participant's log the transaction may have seen writes, or made them.
     *
     * @param position the participant's, from 0
     */
    public void seen(int position, long logPosition) {
        seen[position] = logPosition;
    }

    /** The position of a participant's log that has to be durable before the transaction is answered. */
    public long seen(int position) {
        return seen[position];
    }

    /** A participant, before it arrives: it waits for a later transaction to be over, not for this one. */
    public void staysLent(int partition) {
        staysLent[positionOf(partition)] = true;
    }

    /** Whether the participant at that position waits for this transaction to be over. */
    public boolean returnsTo(int position) {
        return !staysLent[position];
    }

    /** The transaction's result, if it succeeded. */
    public Result result() {
        return result;
    }

    /** Ends the transaction with a failure; of a message that is very long the beginning is told. */
    public void fail(ErrorCode code, String what) {
        error = code;
        message = Failures.shortened(what);
        result.nothing();
    }

    /** Refuses the transaction because its work was replaced while it waited: the client asks for the new one. */
    public void failStale(String what) {
        fail(ErrorCode.INVALID_REQUEST, what);
        stale = true;
    }

    /** The kind of failure; null if it committed. */
    public ErrorCode error() {
        return error;
    }

    /** Whether the transaction committed. */
    public boolean succeeded() {
        return error == null;
    }

    /** The description of the failure, for people; null if it committed. */
    public String message() {
        return message;
    }

    /** Whether it was refused, before it began, only because its work had been replaced. */
    public boolean stale() {
        return stale;
    }

    /** Whether it never began: its failure says nothing of a call that was made before under the same number. */
    public boolean wasRefused() {
        return error != null && (stale || ranAt < 0);
    }

    /** The call was made before and has committed then; the outcome is that one's. */
    void ranBefore() {
        ranBefore = true;
    }

    /** Whether this is only the answer to a call that has committed before. */
    public boolean hasRunBefore() {
        return ranBefore;
    }

    /** Records what the transaction wrote. */
    public void writeHash(long hash) {
        writeHash = hash;
    }

    /** The hash of all that the transaction wrote; the same wherever it is run again. */
    public long writeHash() {
        return writeHash;
    }

    /** Records the partition whose executor finished it. */
    public void ranAt(int partition) {
        ranAt = partition;
    }

    /** The partition whose executor finished it; -1 if it never ran. */
    public int ranAt() {
        return ranAt;
    }

    /** Client: when the request was taken, by the engine's clock; 0 if nobody looked. */
    public void admitted(long ns) {
        admittedNs = ns;
    }

    /** When the request was taken. */
    public long admittedNs() {
        return admittedNs;
    }

    void began(long ns) {
        beganNs = ns;
        endedNs = 0;
    }

    /** When the transaction began, or the group of transactions in which it ran. */
    long beganNs() {
        return beganNs;
    }

    void ended(long ns) {
        endedNs = ns;
    }

    /** When the transaction ended; 0 if it was not timed by itself. */
    long endedNs() {
        return endedNs;
    }

    /** Takes the outcome. */
    public ReplyTarget replyTo() {
        return replyTo;
    }

    /** Hands the finished invocation to whoever wants to know. */
    public void reply() {
        replyTo.complete(this);
    }

    /** Refuses the invocation before it has run, and replies. */
    public void refuse(ErrorCode code, String what) {
        ranAt = -1;
        fail(code, what);
        reply();
    }
}
