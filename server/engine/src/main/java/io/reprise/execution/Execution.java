package io.reprise.execution;

import io.reprise.execution.deploy.Arguments;
import io.reprise.id.BucketSet;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.order.Rendezvous;
import io.reprise.storage.TransactionScope;
import java.util.function.UnaryOperator;

/**
 * The execution of a {@link Request} on this node: participants, id, meeting place and times of one transaction. Its
 * {@link Outcome} tells the result.
 *
 * <pre>
 *  client: request, reply target
 *    -> router: participants, bucket
 *    -> initiator: id; the request is frozen
 *    -> executor or coordinator: outcome
 *    -> reply target
 * </pre>
 *
 * <p>Mutable and pooled with its request and its outcome, so that a call allocates nothing. Owned by one role at a time; a
 * queue hands it over. The participants of a multi-partition transaction share it, but each touches only its own part of it
 * until they have met.
 */
public final class Execution {
    /** {@link #bucket} of a transaction that is not confined to one. */
    public static final int NO_BUCKET = -1;

    /** {@link #home} of a transaction that whichever participant comes last runs. */
    public static final int ANYWHERE = -1;

    private final int number;
    private final Request request;
    private final Outcome outcome = new Outcome();
    private Work work;
    private ReplyTarget replyTo;
    private long cookie;

    private final Route route = new Route();

    private long id;
    private int ranAt;
    private int ranAtSite;

    private long admittedNs;
    private long beganNs;
    private long endedNs;

    /** The bucket that it needed last and that was not loaded, or {@link #NO_BUCKET}; and the number of times that this happened. */
    private int missed = NO_BUCKET;

    private int misses;

    /** Null until the execution has run over several partitions. */
    private Meeting meeting;

    /** Those that a replay hands out; null otherwise. */
    private Answers answers;

    /** An execution with arguments of its own. */
    public Execution() {
        this(0);
    }

    /** The same, as one of several of an owner who tells them apart by number. */
    public Execution(int number) {
        this.number = number;
        this.request = new Request(new Arguments());
    }

    /** An execution with the given arguments. */
    public Execution(Arguments arguments) {
        this.number = 0;
        this.request = new Request(arguments);
    }

    /** The client's request. */
    public Request request() {
        return request;
    }

    /** The outcome of the request, once the transaction has ended. */
    public Outcome outcome() {
        return outcome;
    }

    /** Its number among its owner's. */
    public int number() {
        return number;
    }

    /** Makes an execution without a result, as for a replay. */
    public Execution withoutResult() {
        outcome.result().discard();
        return this;
    }

    /** Client: begins a new request. */
    public Execution prepare(Work newWork, ReplyTarget newReplyTo, long newCookie) {
        work = newWork;
        replyTo = newReplyTo;
        cookie = newCookie;
        request.begin(newWork);
        outcome.begin();
        id = 0;
        ranAt = 0;
        admittedNs = 0;
        answers = null;
        missed = NO_BUCKET;
        misses = 0;
        return this;
    }

    /** Forgets an outcome that was not told, because the execution runs once more. */
    public void runAgain() {
        outcome.begin();
    }

    /** It needed a bucket that is not loaded, was rolled back without trace, and comes again. */
    void missed(int bucket) {
        missed = bucket;
        misses++;
        outcome.begin();
    }

    /** The bucket that it needed last and that was not loaded, or {@link #NO_BUCKET}. */
    public int missed() {
        return missed;
    }

    /** The number of times that it needed a bucket that was not loaded. */
    public int misses() {
        return misses;
    }

    /** The work to be run. */
    public Work work() {
        return work;
    }

    /** Sets another work, because a catalog change replaced the former one. */
    void replaceWork(Work newWork) {
        work = newWork;
    }

    /** A number of the client's own, to tell its executions apart. */
    public long cookie() {
        return cookie;
    }

    /** Router: forgets the participants of the last transaction; the next ones are found by this map. */
    public void routeBy(BucketMap buckets) {
        route.routeBy(buckets);
    }

    /** Router of the engine's own works: one partition takes part, whatever a map says. */
    public void sendTo(int partition) {
        route.sendTo(partition);
    }

    /** Router: the transaction runs at this partition alone, wherever the map has its buckets now. */
    public void runAtOnly(int partition) {
        route.runAtOnly(partition);
    }

    /** Whether values of partitioning columns have decided on the participants. */
    public boolean isRoutedByValues() {
        return route.routedBucket() != NO_BUCKET || bucket() >= 0 || buckets() != null;
    }

    /**
     * The participant that coordinates a transaction over nodes, and remembers its outcome: the one of the first routing value. A bucket
     * takes outcomes along when it moves, so a repetition finds them wherever the bucket is.
     */
    public int coordinator() {
        return route.routedBucket() == NO_BUCKET ? route.participant(0) : route.home();
    }

    /**
     * Replay of a boundary record: the transaction runs over the partitions of these buckets alone, and gets answers from elsewhere as they
     * were. Behind the routing.
     *
     * @param bucketsAtHome some of those by which it was routed
     */
    public void answerFrom(Answers handedOut, BucketSet bucketsAtHome) {
        answers = handedOut;
        route.keepOnly(bucketsAtHome);
    }

    /** The answers from elsewhere that a replay hands out; null otherwise. */
    public Answers answers() {
        return answers;
    }

    /** The map by which the transaction was routed. */
    public BucketMap map() {
        return route.map();
    }

    /** Router: adds a partition unless it is there already; they are kept in ascending order. */
    public void addParticipant(int partition) {
        route.addParticipant(partition);
    }

    /**
     * Router: says which participant runs the transaction, and by which bucket it was chosen. Most of its rows are there,
     * and in that thread's cache.
     */
    public void runAt(int partition, int ofBucket) {
        route.runAt(partition, ofBucket);
    }

    /** The participant that runs the transaction, or {@link #ANYWHERE}: the last one to arrive. */
    public int home() {
        return route.home();
    }

    /** Router: confines the transaction to one bucket; its partition is the only participant. */
    public void confineTo(int theBucket, int partition) {
        route.confineTo(theBucket, partition);
    }

    /** Router: confines the transaction to some buckets, none at first, which are to be added. */
    public BucketSet confineToSome() {
        return route.confineToSome();
    }

    /** Confines the transaction at a participant to the buckets by which it was routed, if it was: however many partitions there are. */
    void confine(TransactionScope scope) {
        route.confine(scope);
    }

    /** The bucket that the transaction is confined to, or {@link #NO_BUCKET}. Several routing parameters may name the same one. */
    public int bucket() {
        return route.bucket();
    }

    /** The buckets that the transaction is confined to, if they are more than one; null if it isn't confined to buckets. */
    public BucketSet buckets() {
        return route.buckets();
    }

    /**
     * Whether it touches rows of its listed buckets and of replicated tables only. A statement that searches across buckets may fail at a
     * row of another one.
     */
    public boolean isConfined() {
        if (work.crossesBuckets()) {
            return false;
        }
        BucketSet several = buckets();
        return several == null ? bucket() >= 0 : several.isListed();
    }

    /** The bucket that most of its rows are in, as far as the arguments tell; {@link #NO_BUCKET} if they don't. */
    int routedBucket() {
        return route.routedBucket();
    }

    /** The number of participating partitions. */
    public int participantCount() {
        return route.participantCount();
    }

    /** A participant, in ascending order. */
    public int participant(int position) {
        return route.participant(position);
    }

    /** At which position a participant stands. */
    public int positionOf(int partition) {
        return route.positionOf(partition);
    }

    /** Initiator: gives the transaction its id; from now on its participants may meet. */
    public void stamp(long transactionId) {
        id = transactionId;
        request.freeze();
        if (route.participantCount() > 1) {
            if (meeting == null) {
                meeting = new Meeting();
            }
            meeting.expect(transactionId, route.participantCount(), work.splits(), work instanceof EngineWork);
        }
    }

    /** The transaction's id; 0 until it is stamped. */
    public long id() {
        return id;
    }

    /** The rendezvous of the participants; null if there were never several. */
    public Rendezvous rendezvous() {
        return meeting == null ? null : meeting.rendezvous();
    }

    /** The last to arrive: keeps no rows of what the participants have found. */
    public void emptyParts() {
        for (int i = 0; i < route.participantCount(); i++) {
            meeting.part(i).rows().empty();
        }
    }

    /** The contribution of the participant at that position, if the work splits. */
    public Part part(int position) {
        return meeting.part(position);
    }

    /**
     * Records up to which position of a participant's log the transaction may have seen writes, or made them.
     *
     * @param position the participant's, from 0
     */
    public void seen(int position, long logPosition) {
        meeting.seen(position, logPosition);
    }

    /** The position of a participant's log that has to be durable before the transaction is answered. */
    public long seen(int position) {
        return meeting.seen(position);
    }

    /** A participant, before it arrives: it waits for a later transaction to be over, not for this one. */
    public void staysLent(int partition) {
        meeting.staysLent(route.positionOf(partition));
    }

    /** Whether the participant at that position waits for this transaction to be over. */
    public boolean returnsTo(int position) {
        return meeting.returnsTo(position);
    }

    /** Whether it never began: its failure says nothing of a call that was made before under the same number. */
    public boolean wasRefused() {
        return !outcome.succeeded() && (outcome.stale() || ranAt < 0);
    }

    /** Records the partition whose executor finished it. */
    public void ranAt(Partition partition) {
        ranAt = partition.id();
        ranAtSite = partition.site();
    }

    /** The partition whose executor finished it; -1 if it never ran. */
    public int ranAt() {
        return ranAt;
    }

    /** The site whose thread finished it, if it ran. */
    public int ranAtSite() {
        return ranAtSite;
    }

    /** The time at which the request was taken, by the engine's clock; 0 if it was not measured. Client. */
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

    /** Hands the finished execution to the caller. */
    public void reply() {
        replyTo.complete(this);
    }

    /** Has the reply go to a target that the function makes of the present one. Before the transaction is sent. */
    public void replyBy(UnaryOperator<ReplyTarget> target) {
        replyTo = target.apply(replyTo);
    }

    /** Refuses the execution before it has run, and replies. */
    public void refuse(ErrorCode code, String what) {
        ranAt = -1;
        outcome.fail(code, what);
        reply();
    }
}
