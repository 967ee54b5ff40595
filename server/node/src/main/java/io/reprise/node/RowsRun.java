package io.reprise.node;

import io.reprise.engine.BatchReply;
import io.reprise.engine.Batches;
import io.reprise.execution.deploy.Arguments;
import io.reprise.net.session.RejectedRow;
import io.reprise.net.session.StatementReply;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A statement for many rows: the rows of each partition are a transaction. A row that fails is taken out of its transaction, and those
 * before and behind it run again without it. The reply lists the rows that are not committed.
 *
 * <p>One thread makes it and starts it; replies of the engine carry it on.
 */
final class RowsRun {
    /** Rows of one partition, in ascending order, and their positions in the request. */
    private static final class Piece {
        private final List<Arguments> rows;
        private final List<Integer> positions;

        Piece(List<Arguments> rows, List<Integer> positions) {
            this.rows = rows;
            this.positions = positions;
        }

        Piece part(int from, int to) {
            return new Piece(rows.subList(from, to), positions.subList(from, to));
        }

        int size() {
            return rows.size();
        }
    }

    private final Batches batches;
    private final List<Piece> pieces;

    /** Guarded by itself, because pieces end on any thread. */
    private final SortedMap<Integer, RejectedRow> rejected;

    private RowsRun(Batches batches, List<Piece> pieces, SortedMap<Integer, RejectedRow> rejected) {
        this.batches = batches;
        this.pieces = pieces;
        this.rejected = rejected;
    }

    /** The run of the statement of some batches for rows whose arguments follow each other. */
    static RowsRun of(Batches batches, Object[] arguments, int rows) {
        int columns = arguments.length / rows;
        SortedMap<Integer, Piece> byPartition = new TreeMap<>();
        SortedMap<Integer, RejectedRow> rejected = new TreeMap<>();
        for (int row = 0; row < rows; row++) {
            Arguments values = new Arguments();
            try {
                for (int i = row * columns; i < (row + 1) * columns; i++) {
                    values.addObject(arguments[i]);
                }
                Piece piece = byPartition.computeIfAbsent(
                        batches.partitionOf(values), _ -> new Piece(new ArrayList<>(), new ArrayList<>()));
                piece.rows.add(values);
                piece.positions.add(row);
            } catch (ProcedureException refused) {
                if (refused.code() == ErrorCode.INVALID_REQUEST) {
                    throw refused;
                }
                rejected.put(row, new RejectedRow(row, refused.code(), refused.getMessage()));
            }
        }
        return new RowsRun(batches, List.copyOf(byPartition.values()), rejected);
    }

    /** Runs it and answers when all rows have ended. */
    void start(StatementReply reply) {
        CompletableFuture<?>[] ends = pieces.stream().map(this::run).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(ends).whenComplete((_, problem) -> {
            if (problem == null) {
                reply.rowsEnded(rejected());
            } else {
                reply.failed(ErrorCode.OUTCOME_UNKNOWN, "some rows may be committed: " + problem);
            }
        });
    }

    private CompletableFuture<?> run(Piece piece) {
        return piece.size() == 0
                ? CompletableFuture.completedFuture(null)
                : batches.start(piece.rows).thenCompose(reply -> ended(piece, reply));
    }

    private CompletableFuture<?> ended(Piece piece, BatchReply reply) {
        int failed = reply.failed();
        if (reply.succeeded()) {
            return CompletableFuture.completedFuture(null);
        } else if (failed >= 0) {
            reject(piece.part(failed, failed + 1), reply);
            return CompletableFuture.allOf(run(piece.part(0, failed)), run(piece.part(failed + 1, piece.size())));
        } else if (piece.size() > 1 && isOfTheSize(reply.error())) {
            int half = piece.size() / 2;
            return CompletableFuture.allOf(run(piece.part(0, half)), run(piece.part(half, piece.size())));
        }
        reject(piece, reply);
        return CompletableFuture.completedFuture(null);
    }

    /** Whether fewer rows may do better. */
    private static boolean isOfTheSize(ErrorCode code) {
        return code == ErrorCode.TIME_LIMIT || code == ErrorCode.MEMORY_LIMIT || code == ErrorCode.VALUE_TOO_LONG;
    }

    private void reject(Piece piece, BatchReply reply) {
        synchronized (rejected) {
            for (int position : piece.positions) {
                rejected.put(position, new RejectedRow(position, reply.error(), reply.message()));
            }
        }
    }

    private List<RejectedRow> rejected() {
        synchronized (rejected) {
            return List.copyOf(rejected.values());
        }
    }
}
