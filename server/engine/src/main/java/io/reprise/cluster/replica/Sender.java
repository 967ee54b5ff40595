package io.reprise.cluster.replica;

import java.util.ArrayList;
import java.util.List;

/**
 * A leader's sending side (P4): batches of records to each peer, from memory or from the log's files, and pieces of images.
 *
 * <p>A peer whose next record is not at hand is fed from the log's files, until it has all older records. Owned by the leadership.
 */
final class Sender {
    /** So many batches are under way to a peer at most. */
    private static final int WINDOW_BATCHES = 8;

    /** A batch takes no further record when it has so many bytes. */
    private static final long MOST_BATCH_BYTES = 256 << 10;

    private final Replica replica;
    private final ReplicaLog log;
    private final ReplicaSettings settings;

    Sender(Replica replica, ReplicaLog log, ReplicaSettings settings) {
        this.replica = replica;
        this.log = log;
        this.settings = settings;
    }

    /** Sends what a peer lacks, as the link has room. Returns how much was done. */
    int send(Peer peer, long token, long nowNs) {
        if (peer.image != null) {
            return sendImage(peer, nowNs);
        }
        feed(peer);
        if (!peer.isTold) {
            return tell(peer);
        }
        int work = 0;
        long mostUnderWay = (long) WINDOW_BATCHES * settings.batchRecords();
        while (peer.next <= log.lastIndex() && peer.next - peer.has() <= mostUnderWay) {
            List<ReplicaRecord> records = records(peer);
            if (records.isEmpty() || !batch(peer, records, token, nowNs)) {
                break;
            }
            work++;
        }
        boolean due = peer.sentToken < token || nowNs - peer.sentNs >= settings.heartbeatNs();
        return due && batch(peer, List.of(), token, nowNs) ? work + 1 : work;
    }

    /** Opens or closes the feed of a peer. */
    private void feed(Peer peer) {
        if (peer.older != null && peer.older.isGone()) {
            peer.isLost = true;
        } else if (peer.older != null) {
            peer.older.release(peer.has() + 1);
            if (peer.has() >= log.imageIndex()) {
                peer.closeFeed();
            }
        } else if (peer.next <= log.imageIndex()) {
            if (peer.next > log.oldestIndex()) {
                peer.older = log.older(peer.has() + 1);
            } else {
                peer.isLost = true;
            }
        }
    }

    /** Tells a joiner that records follow, once the first is at hand or here from the log's files. Returns how much was done. */
    int tell(Peer peer) {
        boolean hasFirst = peer.next > log.imageIndex() || peer.older != null && peer.older.isReady();
        if (peer.isTold || peer.isLost || !hasFirst) {
            return 0;
        }
        peer.isTold = replica.send(peer.member, new PeerMessage.Joined(replica.entered(), peer.attempt));
        return peer.isTold ? 1 : 0;
    }

    private List<ReplicaRecord> records(Peer peer) {
        List<ReplicaRecord> records = new ArrayList<>();
        long bytes = 0;
        for (long index = peer.next;
                index <= log.lastIndex() && records.size() < settings.batchRecords() && bytes < MOST_BATCH_BYTES;
                index++) {
            ReplicaRecord next = record(peer, index);
            if (next == null) {
                break;
            }
            bytes += next.payload().length;
            records.add(next);
        }
        return records;
    }

    /** The record at an index, or null if it is not here yet. */
    private ReplicaRecord record(Peer peer, long index) {
        if (index > log.imageIndex()) {
            return log.record(index);
        }
        return peer.older == null ? null : peer.older.record(index);
    }

    private boolean batch(Peer peer, List<ReplicaRecord> records, long token, long nowNs) {
        if (!replica.send(peer.member, new PeerMessage.Batch(replica.entered(), peer.next, records, token))) {
            return false;
        }
        peer.next += records.size();
        peer.sentToken = token;
        peer.sentNs = nowNs;
        return true;
    }

    private int sendImage(Peer peer, long nowNs) {
        int work = 0;
        for (PeerMessage.Image piece = peer.image.next(); piece != null; piece = peer.image.next()) {
            if (!replica.send(peer.member, piece)) {
                return work;
            }
            peer.image.sent(piece, nowNs);
            peer.sentNs = nowNs;
            work++;
        }
        peer.isLost |= peer.image.isLost();
        boolean isSilent = nowNs - peer.sentNs >= settings.heartbeatNs();
        if (isSilent && replica.send(peer.member, new PeerMessage.Busy(replica.entered()))) {
            peer.sentNs = nowNs;
            work++;
        }
        return work;
    }
}
