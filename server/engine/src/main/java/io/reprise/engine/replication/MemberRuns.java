package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Result;
import io.reprise.execution.Execution;
import io.reprise.execution.Failures;
import io.reprise.execution.Part;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.durable.RequestCodec;
import io.reprise.id.TransactionId;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.RowCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The members of a batch of calls at one participant, whose transaction has begun. The opening brings their requests and runs the
 * parts of split statements; later works are statements of procedures that run at the home.
 *
 * <pre>
 *  opening:     u2 members | of each: u4 length | request          without a request it takes no part here
 *  statements:  of each: u2 member | u4 number | u4 length | parameters
 *  results:     of each member or statement: u1 failed | u4 length | rows, or of a failure u1 code | message;
 *               code 255: rows are not loaded yet; code 254: rows can't be loaded
 * </pre>
 *
 * <p>All numbers are big-endian. A failed statement leaves no change. Owned by the partition's thread.
 */
final class MemberRuns {
    private static final byte[] NOTHING = {};
    private static final ErrorCode[] CODES = ErrorCode.values();

    /** In the place of a failure's code: the rows of a bucket are not loaded, so the call has to come again. */
    private static final byte MISSED = -1;

    /** In the place of a failure's code: the rows of a bucket can't be loaded, so the call is refused. */
    private static final byte LOST = -2;

    private final Partition partition;
    private final StreamSchema schema;
    private final LoadedRows rows;
    private final RequestCodec requests = new RequestCodec();
    private final Part part = new Part();
    private final List<Execution> members = new ArrayList<>();
    private final List<Result> results = new ArrayList<>();

    /** The results of the opening: statements of a member that could not be opened fail in the same way. */
    private final List<Result> openings = new ArrayList<>();

    private int count;

    MemberRuns(Partition partition, StreamSchema schema, LoadedRows rows) {
        this.partition = partition;
        this.schema = schema;
        this.rows = rows;
    }

    /** The id of a member of a batch with the id of its last one. */
    static long memberId(long batchId, int member, int members) {
        return TransactionId.plus(batchId, member + 1 - members);
    }

    /** Opens the members of a batch. */
    byte[] open(ByteBuffer in, long batchId) {
        count = in.getShort();
        results.clear();
        for (int i = 0; i < count; i++) {
            ByteBuffer request = next(in);
            results.add(request.hasRemaining() ? open(i, request, memberId(batchId, i, count)) : Result.NONE);
        }
        return opened();
    }

    private byte[] opened() {
        openings.clear();
        openings.addAll(results);
        return encode(results);
    }

    /** Refuses all members of a batch. */
    byte[] refuse(ByteBuffer in, ErrorCode code, String why) {
        count = in.getShort();
        results.clear();
        for (int i = 0; i < count; i++) {
            results.add(next(in).hasRemaining() ? failed(code, why) : Result.NONE);
        }
        return opened();
    }

    private Result open(int member, ByteBuffer request, long id) {
        Execution running = member(member);
        running.request().arguments().clear();
        int before = partition.store().savepoint();
        RunMonitor monitor = partition.monitor();
        monitor.begin();
        Work of = null;
        try {
            requests.decode(request, schema, ended -> {}, running);
            of = running.work();
            of.checkArguments(running);
            of.route(running, schema.buckets());
            running.stamp(id);
            if (!rows.suffice(running)) {
                monitor.end();
                return missed();
            }
            partition.goOn(running);
            byte[] found = of.splits() ? runPart(of, running) : NOTHING;
            return inTime(of, monitor.end(), found, before);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) {
            return failed(of, failure, before);
        }
    }

    private Execution member(int member) {
        while (members.size() <= member) {
            members.add(new Execution());
        }
        return members.get(member);
    }

    private byte[] runPart(Work of, Execution running) {
        part.clear();
        of.runPart(partition, running, part);
        partition.store().checkLimitsKept(partition.store().hasWrites());
        byte[] found = RowCodec.encode(part.rows());
        part.rows().empty();
        return found;
    }

    /** Runs statements of members, in their order. */
    byte[] runStatements(ByteBuffer in) {
        results.clear();
        while (in.hasRemaining()) {
            int member = in.getShort();
            int number = in.getInt();
            ByteBuffer parameters = next(in);
            Result opening = openings.get(member);
            results.add(opening.aborted() ? opening : run(members.get(member), number, parameters));
        }
        return encode(results);
    }

    /** Whether one of the last statements has failed. */
    boolean hasFailed() {
        for (Result each : results) {
            if (each.aborted()) {
                return true;
            }
        }
        return false;
    }

    private Result run(Execution running, int number, ByteBuffer parameters) {
        int before = partition.store().savepoint();
        Work of = running.work();
        RunMonitor monitor = partition.monitor();
        monitor.begin();
        try {
            partition.goOn(running);
            CompiledStatement statement = of.statementAt(partition, number);
            of.decodeParameters(parameters, statement);
            statement.execute();
            partition.store().checkLimitsKept(partition.store().hasWrites());
            byte[] found = RowCodec.encode(statement.found());
            return inTime(of, monitor.end(), found, before);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) {
            return failed(of, failure, before);
        }
    }

    private Result inTime(Work of, RunMonitor.Verdict ended, byte[] found, int before) {
        if (ended == RunMonitor.Verdict.IN_TIME) {
            return new Result(false, found);
        }
        partition.store().rollbackTo(before);
        return failed(Failures.code(ended), Failures.message(of, ended));
    }

    private Result failed(Work of, Throwable failure, int before) {
        partition.monitor().end();
        ErrorCode code = Failures.code(failure);
        String message = of == null ? failure.getMessage() : Failures.message(of, failure);
        partition.store().rollbackTo(before);
        return rows.missed() ? missed() : failed(code, String.valueOf(message));
    }

    private Result missed() {
        String problem = rows.problem();
        if (problem != null) {
            return failed(LOST, problem + "; the call had no effect");
        }
        return failed(
                MISSED, "rows of partition " + partition.id() + " are being loaded; the call was not run. Try again");
    }

    /** A failure as a result. */
    static Result failed(ErrorCode code, String message) {
        return failed((byte) code.ordinal(), message);
    }

    private static Result failed(byte code, String message) {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        return new Result(
                true, ByteBuffer.allocate(1 + text.length).put(code).put(text).array());
    }

    /** The code of a failure. */
    static ErrorCode code(Result failed) {
        return failed.rows()[0] < 0 ? ErrorCode.PARTITION_UNAVAILABLE : CODES[failed.rows()[0]];
    }

    /** Whether the failure is that rows are not loaded yet. */
    static boolean isMissed(Result failed) {
        return failed.rows()[0] == MISSED;
    }

    /** Whether the failure is that rows can't be loaded. The call must not commit, whatever its procedure makes of that. */
    static boolean isLost(Result failed) {
        return failed.rows()[0] == LOST;
    }

    /** The message of a failure. */
    static String message(Result failed) {
        return new String(failed.rows(), 1, failed.rows().length - 1, StandardCharsets.UTF_8);
    }

    private static byte[] encode(List<Result> all) {
        int bytes = 0;
        for (Result each : all) {
            bytes += 1 + Integer.BYTES + each.rows().length;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes);
        for (Result each : all) {
            out.put((byte) (each.aborted() ? 1 : 0)).putInt(each.rows().length).put(each.rows());
        }
        return out.array();
    }

    /** The results of {@link #open} or {@link #runStatements}. */
    static List<Result> decode(byte[] encoded) {
        List<Result> all = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(encoded);
        while (in.hasRemaining()) {
            boolean failed = in.get() != 0;
            byte[] rows = new byte[in.getInt()];
            in.get(rows);
            all.add(new Result(failed, rows.length == 0 ? NOTHING : rows));
        }
        return all;
    }

    private static ByteBuffer next(ByteBuffer in) {
        int length = in.getInt();
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }
}
