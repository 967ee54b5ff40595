package io.reprise.simulation;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.ExistingFileException;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.StorageReadOnlyException;
import io.reprise.runtime.file.StoreLockedException;
import io.reprise.runtime.file.StorePaths;
import io.reprise.runtime.file.TooManyOpenFilesException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A disk in memory, as one boot of a machine sees it. {@link #crash} cuts the power and returns the disk as the next
 * boot finds it, without unforced data, or with parts of it; {@link #kill} ends the process only, and the page cache
 * survives. After either this store is dead: each call throws {@link SimulatedPowerLoss}.
 *
 * <p>Faults are ordered from {@link #faults}, and drawn from the seed. An I/O error leaves open whether the call had
 * its effect, wholly or in part, because a real one does.
 *
 * <p>All calls take one lock, so that tests with real threads may use it too.
 */
public final class SimulatedFileStore implements FileStore {
    private final SimulatedTree tree;
    private final DiskFaults faults;
    private final Randomness random;
    private final LongConsumer stall;
    private final Boot boot;

    private long calls;
    private long refusableCalls;

    /** The common state of all views of the disk until the process or the machine ends. */
    private static final class Boot {
        boolean dead;
        boolean handedOn;
        SimulatedFileStore lockOwner;
    }

    private SimulatedFileStore(
            SimulatedTree tree, DiskFaults faults, Randomness random, LongConsumer stall, Boot boot) {
        this.tree = tree;
        this.faults = faults;
        this.random = random;
        this.stall = stall;
        this.boot = boot;
    }

    /** An empty disk on which nothing goes wrong until it is ordered, and nothing takes time. */
    public SimulatedFileStore(long seed) {
        this(new SeededRandomness(seed), ns -> {});
    }

    /**
     * An empty disk.
     *
     * @param stall takes the nanoseconds of a slow call: {@code Simulation::stall} lets the other agents run
     *     meanwhile, {@code SimulatedClock::advance} just moves the time
     */
    public SimulatedFileStore(Randomness random, LongConsumer stall) {
        this(new SimulatedTree(), new DiskFaults(), random, stall, new Boot());
    }

    /** The disk's faults; they survive crashes. */
    public DiskFaults faults() {
        return faults;
    }

    /** The number of calls since this boot that could fail. */
    public synchronized long calls() {
        return calls;
    }

    /** The number of them that a full or read-only disk may refuse. */
    public synchronized long refusableCalls() {
        return refusableCalls;
    }

    /** Cuts the power. Returns the disk as it is found afterwards; orders to fail are forgotten, rates stay. */
    public synchronized SimulatedFileStore crash() {
        if (!boot.dead) {
            losePower();
        }
        return nextBoot();
    }

    /** Ends the process. Returns the disk for the next one, with the system's cache and its unforced changes. */
    public synchronized SimulatedFileStore kill() {
        boot.dead = true;
        return nextBoot();
    }

    /** The same disk as another process sees it until the next crash; for the same thread. */
    public synchronized SimulatedFileStore secondView() {
        return new SimulatedFileStore(tree, faults, random, stall, boot);
    }

    /** Damages a file, on the medium and in the cache. */
    public synchronized void flipBit(String path, long position, int bit) {
        inode(new Call("flip a bit", path, DiskFaults.Fate.SUCCEED), path).flipBit(position, bit);
    }

    /**
     * Damages a bit of some file, on the medium and in the cache. Returns whether there was one.
     *
     * @param without a file of the root that stays as it is
     */
    public synchronized boolean rot(String without) {
        List<SimulatedInode> files = tree.filesWithout(without).stream()
                .filter(file -> file.size() > 0)
                .toList();
        if (files.isEmpty()) {
            return false;
        }
        SimulatedInode file = files.get(random.nextInt(files.size()));
        file.flipBit(random.nextLong(file.size()), random.nextInt(8));
        return true;
    }

    @Override
    public synchronized DataFile create(String path) {
        Call call = begin(FileCall.CREATE, "create a file", StorePaths.checkInside(path));
        SimulatedDirectory directory = parent(call, path);
        if (directory.cached.containsKey(StorePaths.name(path))) {
            throw new ExistingFileException(call.operation(), path, null);
        }
        SimulatedInode inode = new SimulatedInode();
        if (hasEffect(call)) {
            tree.link(directory, StorePaths.name(path), inode);
        }
        end(call);
        return new SimulatedDataFile(this, path, inode, true);
    }

    @Override
    public synchronized DataFile open(String path) {
        return open(begin(FileCall.OPEN, "open a file", StorePaths.checkInside(path)), !faults.isReadOnly(), true);
    }

    @Override
    public synchronized DataFile openReadOnly(String path) {
        return open(begin(FileCall.OPEN, "open a file to read", StorePaths.checkInside(path)), true, false);
    }

    @Override
    public synchronized boolean exists(String path) {
        end(begin(FileCall.EXISTS, "find out whether there is", StorePaths.check(path)));
        return tree.find(path) != null;
    }

    @Override
    public synchronized void rename(String from, String to) {
        Call call = begin(FileCall.RENAME, "rename to " + StorePaths.checkInside(to), StorePaths.checkInside(from));
        SimulatedNode node = node(call, from);
        SimulatedDirectory target = parent(call, to);
        checkReplaceable(call, node, target.cached.get(StorePaths.name(to)), to);
        if (hasEffect(call)) {
            tree.rename(parent(call, from), StorePaths.name(from), target, StorePaths.name(to));
        }
        end(call);
    }

    @Override
    public synchronized void delete(String path) {
        Call call = begin(FileCall.DELETE, "delete", StorePaths.checkInside(path));
        if (node(call, path) instanceof SimulatedDirectory directory && !directory.cached.isEmpty()) {
            throw new StorageException(call.operation(), path, "the directory is not empty", null);
        }
        if (hasEffect(call)) {
            tree.unlink(parent(call, path), StorePaths.name(path));
        }
        end(call);
    }

    @Override
    public synchronized List<String> list(String directory) {
        Call call = begin(FileCall.LIST, "list a directory", StorePaths.check(directory));
        List<String> names = List.copyOf(directory(call, directory).cached.keySet());
        end(call);
        return names;
    }

    @Override
    public synchronized void createDirectory(String path) {
        Call call = begin(FileCall.CREATE_DIRECTORY, "create a directory", StorePaths.checkInside(path));
        SimulatedDirectory parent = parent(call, path);
        SimulatedNode existing = parent.cached.get(StorePaths.name(path));
        if (existing instanceof SimulatedInode) {
            throw new ExistingFileException(call.operation(), path, null);
        }
        if (existing == null && hasEffect(call)) {
            tree.link(parent, StorePaths.name(path), new SimulatedDirectory());
        }
        end(call);
    }

    @Override
    public synchronized void forceDirectory(String path) {
        Call call = begin(FileCall.FORCE_DIRECTORY, "force a directory", StorePaths.check(path));
        SimulatedDirectory directory = directory(call, path);
        stallForForce();
        switch (call.fate()) {
            case SUCCEED -> tree.force(directory);
            case FAIL, REFUSE_FULL, REFUSE_READ_ONLY -> tree.failForce(directory, random);
            case LOSE_POWER -> {}
        }
        endForce(call);
    }

    @Override
    public synchronized void lock() {
        end(begin(FileCall.LOCK, "lock the data directory", ""));
        if (boot.lockOwner != null && boot.lockOwner != this) {
            throw new StoreLockedException("lock the data directory", "", "another store", null);
        }
        boot.lockOwner = this;
    }

    /**
     * Without a folder there is nothing to do. Here it leads nowhere else, so a full or read-only disk is no reason
     * to refuse.
     */
    @Override
    public synchronized void lockFolder(String directory) {
        checkAlive();
        if (tree.find(StorePaths.checkInside(directory)) != null) {
            Call call = begin(FileCall.LOCK_FOLDER, "lock a folder of the data directory", directory);
            if (!call.isRefused()) {
                end(call);
            }
        }
    }

    @Override
    public synchronized long usableBytes(String directory) {
        end(begin(FileCall.USABLE_BYTES, "find out how much space is left", StorePaths.check(directory)));
        return usableBytes();
    }

    long usableBytes() {
        return Math.max(0, faults.budgetBytes() - tree.usedBytes());
    }

    @Override
    public synchronized void close() {
        if (boot.lockOwner == this) {
            boot.lockOwner = null;
        }
    }

    /** A call under way: its name in messages, and its fate. */
    record Call(String operation, String path, DiskFaults.Fate fate) {
        boolean succeeds() {
            return fate == DiskFaults.Fate.SUCCEED;
        }

        /** Whether the disk is full or read-only, and says so. */
        boolean isRefused() {
            return fate == DiskFaults.Fate.REFUSE_FULL || fate == DiskFaults.Fate.REFUSE_READ_ONLY;
        }
    }

    Call begin(FileCall kind, String operation, String path) {
        checkAlive();
        calls++;
        refusableCalls += kind.maybeRefused() ? 1 : 0;
        if (faults.nextForgetsCleanPages()) {
            tree.forgetCleanPages();
        }
        DiskFaults.Fate fate = faults.next(kind, random, tree::usedBytes);
        if (faults.isReadOnly() && kind.changes()) {
            throw new StorageReadOnlyException(operation, path, null);
        }
        if (faults.hasTooManyOpenFiles() && kind.opens()) {
            throw new TooManyOpenFilesException(operation, path, null);
        }
        return new Call(operation, path, fate);
    }

    /** Whether the call changes anything: of those that fail some do, of those that are refused none. */
    boolean hasEffect(Call call) {
        return call.succeeds() || !call.isRefused() && random.chance(0.5);
    }

    /** The number of bytes that the call writes, of so many. */
    long part(Call call, long bytes) {
        return switch (call.fate()) {
            case SUCCEED -> bytes;
            case REFUSE_READ_ONLY -> 0;
            case FAIL, LOSE_POWER, REFUSE_FULL -> random.nextLong(bytes + 1);
        };
    }

    void end(Call call) {
        losePowerIfOrdered(call);
        switch (call.fate()) {
            case SUCCEED, LOSE_POWER -> {}
            case FAIL -> throw new StorageException(call.operation(), call.path(), "simulated I/O error", null);
            case REFUSE_FULL -> throw new StorageFullException(call.operation(), call.path(), null);
            case REFUSE_READ_ONLY -> throw new StorageReadOnlyException(call.operation(), call.path(), null);
        }
    }

    /** Whatever the reason why a force fails, what it was for may be lost. */
    void endForce(Call call) {
        losePowerIfOrdered(call);
        String why = switch (call.fate()) {
            case SUCCEED, LOSE_POWER -> null;
            case FAIL -> "simulated I/O error";
            case REFUSE_FULL -> "No space left on device";
            case REFUSE_READ_ONLY -> "Read-only file system";
        };
        if (why != null) {
            throw new ForceFailedException(call.operation(), call.path(), why, null);
        }
    }

    /** Lets simulated time pass; others may run meanwhile, and one of them may cut the power. */
    void stallForForce() {
        long ns = faults.nextForceNs(random);
        if (ns > 0) {
            stall.accept(ns);
            checkAlive();
        }
    }

    Randomness random() {
        return random;
    }

    void checkAlive() {
        if (boot.dead) {
            throw new SimulatedPowerLoss(
                    "this machine, or this process, is off; go on with what crash() or kill() returned");
        }
    }

    private void losePowerIfOrdered(Call call) {
        if (call.fate() == DiskFaults.Fate.LOSE_POWER) {
            losePower();
            throw new SimulatedPowerLoss(
                    "the power was cut by order of the test, in: " + call.operation() + " " + call.path());
        }
    }

    private void losePower() {
        tree.crash(random);
        boot.dead = true;
    }

    private SimulatedFileStore nextBoot() {
        if (boot.handedOn) {
            throw new IllegalStateException("the disk was handed on before; crash or kill the store that was returned");
        }
        boot.handedOn = true;
        faults.forgetOrders();
        return new SimulatedFileStore(tree, faults, random, stall, new Boot());
    }

    private DataFile open(Call call, boolean permitted, boolean writable) {
        SimulatedInode inode = inode(call, call.path());
        if (!permitted) {
            throw new StorageReadOnlyException(call.operation(), call.path(), null);
        }
        end(call);
        return new SimulatedDataFile(this, call.path(), inode, writable);
    }

    private SimulatedNode node(Call call, String path) {
        SimulatedNode node = tree.find(path);
        if (node == null) {
            throw new MissingFileException(call.operation(), path, null);
        }
        return node;
    }

    private SimulatedInode inode(Call call, String path) {
        if (node(call, path) instanceof SimulatedInode inode) {
            return inode;
        }
        throw new StorageException(call.operation(), path, "it is a directory", null);
    }

    private SimulatedDirectory directory(Call call, String path) {
        if (node(call, path) instanceof SimulatedDirectory directory) {
            return directory;
        }
        throw new StorageException(call.operation(), path, "it is not a directory", null);
    }

    private SimulatedDirectory parent(Call call, String path) {
        return directory(call, StorePaths.parent(path));
    }

    private static void checkReplaceable(Call call, SimulatedNode node, SimulatedNode existing, String to) {
        boolean replaceable = switch (existing) {
            case null -> true;
            case SimulatedInode inode -> node instanceof SimulatedInode;
            case SimulatedDirectory directory -> node instanceof SimulatedDirectory && directory.cached.isEmpty();
        };
        if (!replaceable || to.startsWith(call.path() + "/")) {
            throw new StorageException(call.operation(), call.path(), "the new name can't be replaced by it", null);
        }
    }
}
