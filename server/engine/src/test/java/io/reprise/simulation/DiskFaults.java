package io.reprise.simulation;

import io.reprise.runtime.Randomness;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Faults of a simulated disk: by order ("the seventh call fails") or by chance. Calls are counted from the moment of
 * the order, from 1.
 */
public final class DiskFaults {
    private final long[] failAtCall = new long[FileCall.values().length];
    private long failAtAnyCall;
    private long powerLossAtCall;
    private long refuseAtCall;
    private Refusal refusal = Refusal.FULL;
    private boolean refusesFromThen;
    private long misdirectAtWrite;
    private long loseAtWrite;
    private long forgetAtCall;
    private boolean readOnly;
    private boolean tooManyOpenFiles;
    private long budgetBytes = Long.MAX_VALUE;
    private long forceMinNs;
    private long forceMaxNs;
    private double readErrorRate;
    private double bitRotRate;
    private double writeErrorRate;
    private double forceErrorRate;
    private double misdirectedWriteRate;
    private double lostWriteRate;

    DiskFaults() {}

    /** The fate of a call. */
    enum Fate {
        SUCCEED,
        FAIL,
        LOSE_POWER,
        REFUSE_FULL,
        REFUSE_READ_ONLY
    }

    /** Why a disk takes nothing. */
    public enum Refusal {
        FULL(Fate.REFUSE_FULL),
        READ_ONLY(Fate.REFUSE_READ_ONLY);

        private final Fate fate;

        Refusal(Fate fate) {
            this.fate = fate;
        }
    }

    /** The fate of a write. */
    enum WriteFate {
        ARRIVE,
        GO_ASTRAY,
        GET_LOST
    }

    /** The n-th call of any kind from now on fails with an I/O error. */
    public DiskFaults failCall(long n) {
        failAtAnyCall = n;
        return this;
    }

    /** The n-th call of one kind from now on fails with an I/O error. */
    public DiskFaults fail(FileCall call, long n) {
        failAtCall[call.ordinal()] = n;
        return this;
    }

    /** The power is lost within the n-th call of any kind from now on. */
    public DiskFaults powerLossAtCall(long n) {
        powerLossAtCall = n;
        return this;
    }

    /** The n-th call from now on of those that {@link FileCall#maybeRefused} is refused for this reason, and only that. */
    public DiskFaults refuseCall(long n, Refusal why) {
        refuseAtCall = n;
        refusal = why;
        refusesFromThen = false;
        return this;
    }

    /** The same, and from then on the disk is full to its last byte, or read-only. */
    public DiskFaults refuseFromCall(long n, Refusal why) {
        refuseCall(n, why);
        refusesFromThen = true;
        return this;
    }

    /**
     * Before the n-th call of any kind from now on the system needs its memory: of files that have no unforced changes it
     * forgets what it has, and reads from the medium, which need not be the same after a force that failed.
     */
    public DiskFaults forgetCleanPagesAtCall(long n) {
        forgetAtCall = n;
        return this;
    }

    /** The n-th write from now on lands elsewhere on the medium; the running system doesn't notice. */
    public DiskFaults misdirectWrite(long n) {
        misdirectAtWrite = n;
        return this;
    }

    /** The n-th write from now on never reaches the medium; the running system doesn't notice. */
    public DiskFaults loseWrite(long n) {
        loseAtWrite = n;
        return this;
    }

    /** From now on everything that would change the disk is refused, or not any more. */
    public DiskFaults readOnly(boolean refuse) {
        readOnly = refuse;
        return this;
    }

    /** From now on nothing more can be opened, or it can again. */
    public DiskFaults tooManyOpenFiles(boolean refuse) {
        tooManyOpenFiles = refuse;
        return this;
    }

    /** The number of bytes that all files together may have. */
    public DiskFaults budget(long bytes) {
        budgetBytes = bytes;
        return this;
    }

    /** Each force takes a simulated time between these. */
    public DiskFaults forceLatency(long minNs, long maxNs) {
        forceMinNs = minNs;
        forceMaxNs = maxNs;
        return this;
    }

    /** The rates at which a read fails, and at which one returns a flipped bit (which stays). */
    public DiskFaults readRates(double error, double bitRot) {
        readErrorRate = error;
        bitRotRate = bitRot;
        return this;
    }

    /** The rates at which a write fails, lands elsewhere, or never reaches the medium while it seems to. */
    public DiskFaults writeRates(double error, double misdirected, double lost) {
        writeErrorRate = error;
        misdirectedWriteRate = misdirected;
        lostWriteRate = lost;
        return this;
    }

    /** The rate at which a force of a file or directory fails. */
    public DiskFaults forceErrorRate(double error) {
        forceErrorRate = error;
        return this;
    }

    /** Nothing goes wrong from now on. */
    public DiskFaults none() {
        forgetOrders();
        return readOnly(false)
                .tooManyOpenFiles(false)
                .budget(Long.MAX_VALUE)
                .forceLatency(0, 0)
                .readRates(0, 0)
                .writeRates(0, 0, 0)
                .forceErrorRate(0);
    }

    /** Cancels orders for calls that have not come yet. */
    void forgetOrders() {
        Arrays.fill(failAtCall, 0);
        failAtAnyCall = 0;
        powerLossAtCall = 0;
        refuseAtCall = 0;
        misdirectAtWrite = 0;
        loseAtWrite = 0;
        forgetAtCall = 0;
    }

    /**
     * Decides the fate of a call.
     *
     * @param usedBytes the present size of all files
     */
    Fate next(FileCall call, Randomness random, LongSupplier usedBytes) {
        boolean ordered = isNow(failAtAnyCall--) | isNow(failAtCall[call.ordinal()]--);
        if (isNow(powerLossAtCall--)) {
            return Fate.LOSE_POWER;
        }
        if (call.maybeRefused() && isNow(refuseAtCall--)) {
            if (refusesFromThen && refusal == Refusal.FULL) {
                budgetBytes = usedBytes.getAsLong();
            }
            readOnly |= refusesFromThen && refusal == Refusal.READ_ONLY;
            return refusal.fate;
        }
        double rate = switch (call) {
            case READ -> readErrorRate;
            case WRITE -> writeErrorRate;
            case FORCE, FORCE_DIRECTORY -> forceErrorRate;
            default -> 0;
        };
        return ordered || happens(rate, random) ? Fate.FAIL : Fate.SUCCEED;
    }

    boolean nextForgetsCleanPages() {
        return isNow(forgetAtCall--);
    }

    WriteFate nextWrite(Randomness random) {
        boolean astray = isNow(misdirectAtWrite--) | happens(misdirectedWriteRate, random);
        boolean lost = isNow(loseAtWrite--) | happens(lostWriteRate, random);
        if (astray) {
            return WriteFate.GO_ASTRAY;
        }
        return lost ? WriteFate.GET_LOST : WriteFate.ARRIVE;
    }

    boolean nextReadRots(Randomness random) {
        return happens(bitRotRate, random);
    }

    long nextForceNs(Randomness random) {
        return forceMaxNs == 0 ? 0 : forceMinNs + random.nextLong(forceMaxNs - forceMinNs + 1);
    }

    boolean hasTooManyOpenFiles() {
        return tooManyOpenFiles;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    long budgetBytes() {
        return budgetBytes;
    }

    private static boolean isNow(long countdown) {
        return countdown == 1;
    }

    /** Draws nothing for what never happens, so that switching one fault on doesn't change what the others do. */
    private static boolean happens(double rate, Randomness random) {
        return rate > 0 && random.chance(rate);
    }
}
