package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;
import io.reprise.cluster.replica.PeerMessage.Ack;
import io.reprise.cluster.replica.PeerMessage.Batch;
import io.reprise.cluster.replica.PeerMessage.Busy;
import io.reprise.cluster.replica.PeerMessage.Collect;
import io.reprise.cluster.replica.PeerMessage.Diverged;
import io.reprise.cluster.replica.PeerMessage.Fetch;
import io.reprise.cluster.replica.PeerMessage.Fetched;
import io.reprise.cluster.replica.PeerMessage.Image;
import io.reprise.cluster.replica.PeerMessage.ImageAck;
import io.reprise.cluster.replica.PeerMessage.Join;
import io.reprise.cluster.replica.PeerMessage.Joined;
import io.reprise.cluster.replica.PeerMessage.Leave;
import io.reprise.cluster.replica.PeerMessage.Report;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's replica of one partition, as a state machine. The map decides its role, peers' messages and time move it.
 *
 * <pre>
 *  OUT -> LOADING -> JOINING     brought up by the leader; JOINING alone, if the log is a prefix
 *  JOINING -> FOLLOWER           the map has this incarnation in sync
 *  FOLLOWER -> COLLECTING        the map names this node the leader of a new term
 *  COLLECTING -> LEADER          all in-sync members have reported, the longest log is here
 *  any -> OUT                    the map does not have this incarnation in sync
 * </pre>
 *
 * <p>Owned by the thread of its {@link ReplicaGroup}. A broken invariant throws, which ends the node.
 */
public final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    /** So many times the failure timeout a leader waits for a silent member before it rejects calls. */
    private static final int CUT_OFF = 3;

    /** The part that the replica plays in its epoch. */
    public enum Role {
        /** Not in sync, and not being brought up. */
        OUT,
        /** An image is on its way to stable storage. */
        LOADING,
        /** Follows the stream, not in sync yet. */
        JOINING,
        /** In sync. */
        FOLLOWER,
        /** To lead, when all have reported. */
        COLLECTING,
        /** Serves. */
        LEADER
    }

    private final Member self;
    private final int partition;
    private final ReplicaLog log;
    private final Machine machine;
    private final ReplicaSettings settings;
    private final Outbox outbox;
    private final MapRequests requests;
    private final Leadership leadership;
    private final Following following;
    private final Joining joining;

    private Replicas map;

    /** The level of the cluster by the same map. */
    private int level;

    /** Whether the map wants a replica here, or still counts on one. */
    private boolean wanted;

    /** Whether the map has a goal that is not reached. */
    private boolean moving;

    private long entered;
    private Role role = Role.OUT;
    private long ledTerm = -1;
    private boolean careful;

    /** The node is about to stop. */
    private boolean staysOut;

    private long spokeNs = Long.MIN_VALUE / 2;

    Replica(
            Member self,
            int partition,
            ReplicaLog log,
            Machine machine,
            ReplicaSettings settings,
            Outbox outbox,
            MapRequests requests) {
        this.self = self;
        this.partition = partition;
        this.log = log;
        this.machine = machine;
        this.settings = settings;
        this.outbox = outbox;
        this.requests = requests;
        leadership = new Leadership(this, log, settings);
        following = new Following(this, log, settings);
        joining = new Joining(this, log, settings);
    }

    // ---- For those who call the partition

    /** The present role. */
    public Role role() {
        return role;
    }

    /** The epoch that the replica has entered. */
    public long entered() {
        return entered;
    }

    /** Appends and applies a record; only a leader's. Returns its index, which may be told when it is stable. */
    public long propose(byte[] payload) {
        requireLeader();
        log.append(new ReplicaRecord(entered, payload));
        machine.apply(log.lastIndex(), payload);
        return log.lastIndex();
    }

    /** The index up to which a leader may tell. */
    public long stable() {
        requireLeader();
        return leadership.waits().stable();
    }

    /**
     * The index up to which each in-sync replica has forced the log, so that a leader may vote: no failure but the loss of all disks
     * takes it away.
     */
    public long forced() {
        requireLeader();
        return leadership.waits().forced();
    }

    /** Notes a vote for all up to an index: from now on a joiner needs it too. */
    public void voted(long index) {
        requireLeader();
        leadership.waits().voted(index);
    }

    /** The index of the last record applied, which a read that runs now sees. */
    public long applied() {
        return log.lastIndex();
    }

    /** Whether a member that this leader waits for is silent, and could not be removed for some time. */
    public boolean isCutOff(long nowNs) {
        requireLeader();
        return leadership.waits().silentNs(nowNs) > CUT_OFF * settings.failureNs();
    }

    /** Whether in-sync replicas force a record before it is stable. */
    public boolean isForced() {
        return settings.forced();
    }

    /** Shows the progress of a leader's followers; of another replica nothing. */
    public void eachFollower(FollowerProgress to) {
        if (role == Role.LEADER) {
            leadership.eachFollower(to);
        }
    }

    /** The number of followers that this replica, as their leader, took out because their rows differed. */
    public long divergences() {
        return leadership.removal().divergences();
    }

    /** The lowest index that an in-sync replica of this leader may still need. */
    public long neededFrom() {
        requireLeader();
        return leadership.waits().neededFrom();
    }

    /** The lowest index that a peer of this leader, in sync or joining, may still need. */
    public long keptFrom() {
        requireLeader();
        return leadership.keptFrom();
    }

    /** Whether this leader is so far ahead of a joiner that it has to wait. */
    public boolean outrunsJoiner(long nowNs) {
        requireLeader();
        return leadership.joiners().isOutrun(nowNs);
    }

    /** A token for a read that has run at this leader. */
    public long nextToken() {
        requireLeader();
        return leadership.waits().nextToken();
    }

    /** The token up to which reads are confirmed. */
    public long confirmed() {
        requireLeader();
        return leadership.waits().confirmed();
    }

    /** The epoch in which the present leadership began, of which a call may have been part; -1 if this is no leader. */
    public long term() {
        return ledTerm;
    }

    private void requireLeader() {
        if (role != Role.LEADER) {
            throw new IllegalStateException("partition " + partition + " is not led here, but " + role);
        }
    }

    /** Whether the map, as far as it is known, has this node in sync, in its present run or in an earlier one that it may reopen. */
    public boolean isCounted() {
        return map == null || map.member(self.node()).isPresent();
    }

    /** Whether the map wants a replica here, or still counts on one. */
    public boolean isWanted() {
        return wanted;
    }

    /** Forgets all that the replica holds, which the map does not have in sync: its leader loads it anew. */
    public void startAnew() {
        log.beginImage();
        leave();
        ledTerm = -1;
    }

    // ---- The map

    /** P2: takes in the partition's line of the newest map, and the level of the cluster. */
    void enter(Replicas next, int nextLevel, long nowNs) {
        level = nextLevel;
        if (map != null && next.epoch() <= map.epoch()) {
            if (next.epoch() == map.epoch()) {
                if (!next.toward(map.goal()).equals(map)) {
                    throw new IllegalStateException("partition " + partition
                            + " has two lines of one epoch in the map: " + map + ", then " + next);
                }
                take(next);
                noteLevel();
                if (!wanted && isJoining()) {
                    // The leader's request to add it would name another goal.
                    leave();
                }
            }
            return;
        }
        if (map == null && next.epoch() < log.noted().epoch()) {
            LOG.warn(
                    "Partition {}: the map has epoch {}, and this node was in epoch {}. It waits for the newer map",
                    partition,
                    next.epoch(),
                    log.noted().epoch());
            return;
        }
        boolean skipped = next.epoch() > entered + 1;
        Replicas before = map;
        take(next);
        entered = next.epoch();
        if (joining.isDiverged() && next.has(self)) {
            return;
        }
        if (!next.has(self)) {
            leave();
            ledTerm = -1;
            joining.hurry();
            return;
        }
        if (!joining.isUsable()) {
            throw new IllegalStateException("partition " + partition + " is in sync without a complete image");
        }
        if (!machine.isWhole() && (next.leader() != self.node() || next.sync().size() > 1)) {
            throw new IllegalStateException(
                    "partition " + partition + " is in sync with others before its rows are loaded: " + next);
        }
        joining.joined();
        log.note(NotedLine.of(level, next));
        if (next.leader() != self.node()) {
            follow(before, nowNs);
        } else if (role == Role.LEADER && ledTerm == next.term()) {
            if (skipped) {
                throw new IllegalStateException("the in-sync set of partition " + partition
                        + " was changed by another than its leader: " + next);
            }
            leadership.goOn(next);
            log.append(ReplicaRecord.beginning(entered));
        } else {
            role = Role.COLLECTING;
            ledTerm = -1;
            leadership.collect(next, nowNs);
        }
    }

    /** A raised level holds from now on, also if the map is lost. A joiner that is written down stays so. */
    private void noteLevel() {
        NotedLine noted = log.noted();
        if (map.has(self) && noted.epoch() == entered && noted.level() < level) {
            log.note(noted.withLevel(level));
        }
    }

    private void take(Replicas next) {
        map = next;
        wanted = next.mayHold(self.node()) || next.member(self.node()).isPresent();
        moving = next.isMoving();
    }

    /** Goes OUT; to come back takes a new attempt. */
    void leave() {
        role = Role.OUT;
        leadership.end();
        joining.left();
    }

    private void follow(Replicas before, long nowNs) {
        role = Role.FOLLOWER;
        leadership.end();
        ledTerm = -1;
        following.begin(before == null || before.term() != map.term(), nowNs);
    }

    Replicas map() {
        return map;
    }

    Member self() {
        return self;
    }

    int partition() {
        return partition;
    }

    /** The number of the present attempt to join, within which the log only grows. */
    long attempt() {
        return joining.attempt();
    }

    Machine machine() {
        return machine;
    }

    boolean send(Member to, PeerMessage message) {
        return outbox.send(to, message);
    }

    /** Returns false if the message is lost. */
    boolean sendToLeader(PeerMessage message) {
        Optional<Member> leader = map.member(map.leader());
        return leader.isPresent() && send(leader.get(), message);
    }

    boolean request(Replicas next) {
        return requests.request(partition, next);
    }

    /** Whether the process of a member has ended. */
    boolean hasEnded(Member member) {
        return requests.hasEnded(member);
    }

    /** Whether a silent member has the time to change the map first. */
    boolean yieldsTo(Member member) {
        return requests.yieldsTo(member);
    }

    /** Whether the process of the leader has ended. */
    boolean hasLeaderEnded() {
        for (Member member : map.sync()) {
            if (member.node() == map.leader() && hasEnded(member)) {
                return true;
            }
        }
        return false;
    }

    boolean isRequestOpen() {
        return requests.isOpen(partition);
    }

    boolean isCareful() {
        return careful;
    }

    /** Becomes careful; true when all that was acknowledged by receipt is forced. */
    boolean isCarefulAndForced() {
        careful = true;
        return log.durableIndex() >= log.lastIndex();
    }

    /** Writes a joiner down before the map is asked for it: if the map is lost, the joiner may be the one that leads on. */
    void noteAdding(Member joiner) {
        log.note(NotedLine.adding(level, map, joiner));
    }

    /** The joiner is given up, and the map was not asked for it. */
    void noteMembers() {
        log.note(NotedLine.of(level, map));
    }

    void lead() {
        role = Role.LEADER;
        ledTerm = map.term();
        log.append(ReplicaRecord.beginning(entered));
    }

    /** An image begins to come. */
    void beginToLoad() {
        role = Role.LOADING;
    }

    /** An image is whole and durable: the leader's stream goes on behind it. */
    void loaded(long nowNs) {
        role = Role.JOINING;
        following.imageLoaded(nowNs);
    }

    /** The replica's content differs from its leader's, and counts no more. */
    void diverge() {
        log.beginImage();
        joining.diverge();
        leave();
    }

    /** A record of the leader has no room here: the replica counts no more, and joins again later. */
    void runOutOfMemory(String why, long nowNs) {
        joining.postpone(why, nowNs);
        diverge();
    }

    /** I2: the reported log is a prefix of this one. */
    void requirePrefix(Report report) {
        long index = report.lastIndex();
        boolean prefix =
                index <= log.lastIndex() && (index < log.oldestIndex() || log.epochAt(index) == report.lastEpoch());
        if (!prefix) {
            throw new IllegalStateException("partition " + partition + ": an in-sync log ends with epoch "
                    + report.lastEpoch() + " at " + index + " and is no prefix of the leader's");
        }
    }

    /** P11: whether this node may reopen the partition, of whose members none runs under its incarnation. */
    boolean mayReopen() {
        if (map == null || role != Role.OUT || !joining.isUsable() || awaitsRows()) {
            return false;
        }
        if (!settings.holds(Rule.REOPEN_BY_START)) {
            return log.lastIndex() > 0;
        }
        return map.member(self.node())
                .filter(member -> log.hasStart(member.incarnation()))
                .isPresent();
    }

    /**
     * Whether the map counts on others, too, and rows are not loaded yet, of which some may prove to be damaged: a leader that never gets whole
     * would shut out a member that has all of them.
     */
    public boolean awaitsRows() {
        return map != null
                && role == Role.OUT
                && !machine.isWhole()
                && map.sync().size() > 1
                && map.member(self.node()).isPresent();
    }

    /** A transaction on another site has the partition: tells followers that the leader is alive, or the leader that a follower is. */
    int speakWhileLent(long nowNs) {
        if (role != Role.LEADER && role != Role.FOLLOWER || nowNs - spokeNs < settings.heartbeatNs()) {
            return 0;
        }
        spokeNs = nowNs;
        if (role == Role.FOLLOWER) {
            sendToLeader(new Busy(entered));
            return 1;
        }
        for (Member member : map.sync()) {
            if (!member.equals(self)) {
                send(member, new Busy(entered));
            }
        }
        return 1;
    }

    // ---- The end of the node

    /** The node is about to stop: a replica that is out stays out. */
    void stayOut() {
        staysOut = true;
        if (role == Role.JOINING || role == Role.LOADING) {
            leave();
        }
    }

    /** Hands the leadership to an in-sync follower that stays. Returns how much was done. */
    int handOver(Predicate<Member> stays) {
        Member next = leadership.successor(stays);
        return next != null && request(map.handedTo(next)) ? 1 : 0;
    }

    /** Hands the leadership to the node if it is in sync and stays. Returns how much was done. */
    int handOver(int node, Predicate<Member> stays) {
        return handOver(member -> member.node() == node && stays.test(member));
    }

    /** Asks the leader to remove this follower, unless the leader leaves too. Returns how much was done. */
    int askForRemoval(Predicate<Member> stays) {
        Member leader = map.member(map.leader()).orElseThrow();
        return stays.test(leader) && send(leader, new Leave(entered)) ? 1 : 0;
    }

    /** Whether this replica has a part in the partition that a member which stays can take over. */
    boolean hasPartFor(Predicate<Member> stays) {
        if (map == null || !map.has(self) && !isRequestOpen()) {
            return false;
        }
        for (Member member : map.sync()) {
            if (!member.equals(self) && stays.test(member)) {
                return true;
            }
        }
        return isRequestOpen();
    }

    // ---- Time

    /** One step. Returns how much was done. */
    int step(long nowNs) {
        if (map == null) {
            return 0;
        }
        if (careful && map.sync().size() > 1 && !isRequestOpen()) {
            // No request for being alone is open any more; a suspicion that goes on sets it again.
            careful = false;
        }
        return switch (role) {
            case OUT -> stayOut(nowNs);
            case LOADING -> joining.load(nowNs);
            case JOINING -> join(nowNs);
            case FOLLOWER -> following.step(nowNs);
            case COLLECTING -> leadership.collect(nowNs);
            case LEADER -> leadership.lead(nowNs);
        };
    }

    private int stayOut(long nowNs) {
        if (!wanted) {
            return drop();
        }
        return staysOut || !machine.isWhole() ? 0 : joining.ask(nowNs);
    }

    /** The node is to hold no replica: its rows and log are removed once no transaction runs in it. */
    private int drop() {
        boolean holdsNothing = log.lastIndex() == 0 && log.imagePieces() == 0;
        if (holdsNothing || !machine.hasImage()) {
            return 0;
        }
        LOG.info("Partition {}: this node is to hold no replica; its rows are removed", partition);
        startAnew();
        return 1;
    }

    // ---- Moves

    /** Whether the map wants another replica here, which is not in sync yet. */
    boolean isNewcomer() {
        return map != null && !map.has(self) && !map.holders().contains(self.node()) && map.mayHold(self.node());
    }

    /** Whether it is being brought up. */
    boolean isJoining() {
        return role == Role.LOADING || role == Role.JOINING;
    }

    /** Reaches the goal of the map: its first node leads, and only its nodes are in sync. Returns how much was done. */
    int move(Predicate<Member> stays) {
        if (!moving || !map.isGoalInSync() || leadership.joiners().isAdding()) {
            return 0;
        }
        int first = map.goal().getFirst();
        if (first != self.node()) {
            return handOver(first, stays);
        }
        Replicas next = map.settled();
        boolean alone = next.sync().size() == 1 && map.sync().size() > 1;
        if (alone && settings.holds(Rule.CAREFUL_BEFORE_REMOVAL) && !isCarefulAndForced()) {
            return 0;
        }
        return request(next) ? 1 : 0;
    }

    /** Frames to and from a node may have been lost. */
    void linkReset(int node) {
        leadership.linkReset(node);
        if (map != null && map.leader() == node) {
            following.linkReset();
            if (role == Role.FOLLOWER) {
                following.report();
            }
        }
    }

    private int join(long nowNs) {
        if (following.isLeaderSilent(nowNs)) {
            leave();
            return 1;
        }
        return following.acknowledgeIfDue();
    }

    // ---- Messages

    void receive(Member from, PeerMessage message, long nowNs) {
        if (map == null) {
            return;
        }
        switch (message) {
            case Collect collect -> collected(from, collect, nowNs);
            case Report report -> {
                if (report.epoch() == entered && (role == Role.COLLECTING || role == Role.LEADER)) {
                    leadership.report(from, report, nowNs);
                }
            }
            case Fetch fetch -> {
                if (fetch.epoch() == entered && role == Role.FOLLOWER) {
                    following.fetch(from, fetch.from());
                }
            }
            case Fetched fetched -> {
                if (fetched.epoch() == entered && role == Role.COLLECTING) {
                    following.take(fetched.from(), fetched.records(), nowNs);
                    leadership.collecting().fetched(nowNs);
                }
            }
            case Batch batch -> following.streamed(from, batch, nowNs);
            case Ack ack -> {
                if (role == Role.LEADER && ack.epoch() >= ledTerm) {
                    leadership.acknowledged(from, ack, nowNs);
                }
            }
            case Join join -> {
                if (role == Role.LEADER
                        && machine.isWhole()
                        && join.epoch() == entered
                        && map.member(from.node()).isEmpty()
                        && map.mayHold(from.node())) {
                    leadership.joiners().join(from, join, nowNs);
                }
            }
            case Joined joined -> {
                if (role == Role.OUT && joining.isAnswer(joined)) {
                    role = Role.JOINING;
                    following.beginToJoin(nowNs);
                }
            }
            case Image image -> joining.arrive(image, nowNs);
            case ImageAck ack -> {
                if (role == Role.LEADER && ack.epoch() == entered) {
                    leadership.joiners().acknowledged(from, ack, nowNs);
                }
            }
            case Busy busy -> {
                if (busy.epoch() == entered && from.node() == map.leader()) {
                    following.heard(nowNs);
                    joining.heard(nowNs);
                } else if (busy.epoch() == entered && role == Role.LEADER && machine.isPatient()) {
                    leadership.heard(from, nowNs);
                }
            }
            case Leave leave -> {
                if (role == Role.LEADER && leave.epoch() >= ledTerm) {
                    leadership.removal().leaves(from);
                }
            }
            case Diverged differing -> {
                if (role == Role.LEADER && differing.epoch() >= ledTerm) {
                    leadership.removal().diverged(from);
                }
            }
        }
    }

    private void collected(Member from, Collect collect, long nowNs) {
        if (collect.epoch() == entered && role == Role.FOLLOWER && from.node() == map.leader()) {
            following.heard(nowNs);
            following.report();
        }
    }
}
