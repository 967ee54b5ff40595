package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.sql.physical.PlanNode.Frame;
import io.reprise.sql.physical.PlanNode.WindowCall;
import io.reprise.sql.physical.PlanNode.WindowFunction;
import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.util.List;

/**
 * Window functions over the sorted rows of a {@link RowBuffer}. Each function's values are written to a column that the rows have
 * for it, in one pass over each partition: the ends of a frame never move back, so each row enters and leaves it once.
 */
public final class WindowRows implements WorkMemory.Holder {
    private static final int RETAINED = 1 << 14;
    private static final int ROWS_PER_CHECK = 1 << 10;

    /**
     * A function to compute.
     *
     * @param call the function, its arguments and its frame
     * @param type the comparison of its first argument
     * @param result the column of its value
     * @param precision digits of an exact sum that is a DECIMAL, or 0
     * @param scale digits behind the point of that
     * @param shift digits behind the point that an average has more than its argument
     */
    public record Function(WindowCall call, Sorter.KeyType type, int result, int precision, int scale, int shift) {}

    private final List<Function> functions;
    private final int partitionKeys;
    private final int nullWords;
    private final PartitionStore store;

    private long[] words;
    private int[] order;
    private Sorter sorter;

    /** The rows of the partition at hand: places in the order. */
    private int start;

    private int end;

    /** The rows that the order doesn't tell from the current one. */
    private int peersFrom;

    private int peersTo;

    /** The frame of the current row. */
    private int from;

    private int to;

    /** Rows of a frame that may become its extreme one, the best first. */
    private int[] candidates = new int[16];

    /** For rows of the given number of columns, which are sorted by keys that divide them first. */
    public WindowRows(List<Function> functions, int partitionKeys, int columns, PartitionStore store) {
        this.functions = functions;
        this.partitionKeys = partitionKeys;
        this.nullWords = RowShape.nullWords(columns);
        this.store = store;
    }

    @Override
    public void letGo() {
        candidates = new int[16];
    }

    /** Computes all functions for all rows, which have been sorted. */
    public void compute(RowBuffer buffer, Sorter sorted, int count) {
        words = buffer.words;
        order = sorted.order;
        sorter = sorted;
        for (start = 0; start < count; start = end) {
            end = start + 1;
            while (end < count && sorter.compare(words, order[start], order[end], partitionKeys) == 0) {
                end++;
            }
            for (Function function : functions) {
                run(function);
            }
        }
    }

    private void run(Function function) {
        peersFrom = start;
        peersTo = start;
        switch (function.call().function()) {
            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> rank(function);
            case NTILE -> tiles(function);
            case LAG -> neighbours(function, -1);
            case LEAD -> neighbours(function, 1);
            case FIRST_VALUE, LAST_VALUE, NTH_VALUE -> values(function);
            case COUNT -> count(function);
            case SUM, SUM0, AVG -> sums(function);
            case MIN, MAX -> extremes(function);
        }
    }

    // Rows and their columns

    private boolean isNull(int place, int column) {
        return (words[order[place] + (column >>> 6)] >>> column & 1) != 0;
    }

    private long word(int place, int column) {
        return words[order[place] + nullWords + column];
    }

    /** Sets a function's value; the column is NULL before. */
    private void set(int place, int column, long value) {
        int row = order[place];
        words[row + (column >>> 6)] &= ~(1L << column);
        words[row + nullWords + column] = value;
    }

    private void setDouble(int place, int column, double value) {
        set(place, column, Double.doubleToRawLongBits(value));
    }

    private void copy(int from, int fromColumn, int to, int column) {
        if (!isNull(from, fromColumn)) {
            set(to, column, word(from, fromColumn));
        }
    }

    private void findPeers(int place) {
        if (place >= peersTo) {
            peersFrom = place;
            peersTo = place + 1;
            while (peersTo < end && sorter.compare(words, order[place], order[peersTo]) == 0) {
                peersTo++;
            }
        }
    }

    private static void pace(int place) {
        if (place % ROWS_PER_CHECK == 0) {
            LoopGuard.check();
        }
    }

    // Ranks

    private void rank(Function function) {
        int column = function.result();
        int rows = end - start;
        long groups = 0;
        for (int place = start; place < end; place++) {
            pace(place);
            if (place >= peersTo) {
                groups++;
            }
            findPeers(place);
            switch (function.call().function()) {
                case ROW_NUMBER -> set(place, column, place - start + 1L);
                case RANK -> set(place, column, peersFrom - start + 1L);
                case DENSE_RANK -> set(place, column, groups);
                case PERCENT_RANK ->
                    setDouble(place, column, rows == 1 ? 0 : (peersFrom - start) / (double) (rows - 1));
                default -> setDouble(place, column, (peersTo - start) / (double) rows);
            }
        }
    }

    /** NTILE: the first tiles have a row more if they can't be equal. */
    private void tiles(Function function) {
        int argument = function.call().arguments().getFirst();
        if (isNull(start, argument)) {
            return;
        }
        long tiles = word(start, argument);
        if (tiles <= 0) {
            throw Errors.invalid("NTILE needs a positive number of tiles, but this one is " + tiles);
        }
        long rows = (long) end - start;
        long small = rows / tiles;
        long larger = rows % tiles;
        long inLarger = larger * (small + 1);
        for (int place = start; place < end; place++) {
            long number = (long) place - start;
            set(
                    place,
                    function.result(),
                    number < inLarger ? number / (small + 1) + 1 : larger + (number - inLarger) / small + 1);
        }
    }

    // Values of other rows

    private void neighbours(Function function, int direction) {
        int[] arguments =
                function.call().arguments().stream().mapToInt(Integer::intValue).toArray();
        for (int place = start; place < end; place++) {
            pace(place);
            if (arguments.length > 1 && isNull(place, arguments[1])) {
                continue;
            }
            long distance = arguments.length > 1 ? word(place, arguments[1]) : 1;
            boolean far = distance > end - start || distance < start - end;
            long other = far ? -1 : place + direction * distance;
            if (other >= start && other < end) {
                copy((int) other, arguments[0], place, function.result());
            } else if (arguments.length > 2) {
                copy(place, arguments[2], place, function.result());
            }
        }
    }

    private void values(Function function) {
        int argument = function.call().arguments().getFirst();
        for (int place = start; place < end; place++) {
            pace(place);
            moveFrame(function.call().frame(), place);
            long chosen = switch (function.call().function()) {
                case FIRST_VALUE -> from;
                case LAST_VALUE -> to - 1L;
                default -> nth(function, place);
            };
            if (chosen >= from && chosen < to) {
                copy((int) chosen, argument, place, function.result());
            }
        }
    }

    private long nth(Function function, int place) {
        int argument = function.call().arguments().get(1);
        if (isNull(place, argument)) {
            return -1;
        }
        long number = word(place, argument);
        if (number <= 0) {
            throw Errors.invalid("NTH_VALUE counts rows from 1, but the number is " + number);
        }
        return number > end - start ? -1 : from + number - 1;
    }

    // Frames

    private void moveFrame(Frame frame, int place) {
        if (!frame.rows()) {
            findPeers(place);
        }
        from = switch (frame.lower().kind()) {
            case UNBOUNDED_PRECEDING -> start;
            case UNBOUNDED_FOLLOWING -> end;
            case CURRENT_ROW -> frame.rows() ? place : peersFrom;
            case PRECEDING ->
                (int) Math.max(start, place - offset(frame.lower().offset().getAsInt(), place));
            case FOLLOWING ->
                (int) Math.min(end, place + offset(frame.lower().offset().getAsInt(), place));
        };
        to = switch (frame.upper().kind()) {
            case UNBOUNDED_PRECEDING -> start;
            case UNBOUNDED_FOLLOWING -> end;
            case CURRENT_ROW -> frame.rows() ? place + 1 : peersTo;
            case PRECEDING ->
                (int) Math.max(start, place + 1 - offset(frame.upper().offset().getAsInt(), place));
            case FOLLOWING ->
                (int) Math.min(end, place + 1 + offset(frame.upper().offset().getAsInt(), place));
        };
        to = Math.max(from, to);
    }

    /** The number of rows to an end of the frame; none is further than all rows are. */
    private long offset(int column, int place) {
        long offset = isNull(place, column) ? -1 : word(place, column);
        if (offset < 0) {
            throw Errors.invalid("the number of rows to an end of a window's frame is NULL or negative");
        }
        return Math.min(offset, end - start + 1L);
    }

    // Aggregates

    private void count(Function function) {
        boolean all = function.call().arguments().isEmpty();
        int argument = all ? -1 : function.call().arguments().getFirst();
        int lost = start;
        int taken = start;
        long count = 0;
        for (int place = start; place < end; place++) {
            pace(place);
            moveFrame(function.call().frame(), place);
            if (all) {
                set(place, function.result(), to - from);
                continue;
            }
            for (; taken < to; taken++) {
                count += isNull(taken, argument) ? 0 : 1;
            }
            for (; lost < from; lost++) {
                count -= isNull(lost, argument) ? 0 : 1;
            }
            set(place, function.result(), count);
        }
    }

    private void sums(Function function) {
        if (function.type() == Sorter.KeyType.DOUBLE) {
            roundedSums(function);
        } else if (function.type() == Sorter.KeyType.STRING) {
            wideSums(function);
        } else {
            exactSums(function);
        }
    }

    /** A sum in two words from which values are taken back without loss. */
    private void exactSums(Function function) {
        int argument = function.call().arguments().getFirst();
        int lost = start;
        int taken = start;
        long low = 0;
        long high = 0;
        long count = 0;
        for (int place = start; place < end; place++) {
            pace(place);
            moveFrame(function.call().frame(), place);
            for (; taken < to; taken++) {
                if (!isNull(taken, argument)) {
                    long value = word(taken, argument);
                    high += Numbers.carry(low, value);
                    low += value;
                    count++;
                }
            }
            for (; lost < from; lost++) {
                if (!isNull(lost, argument)) {
                    long value = word(lost, argument);
                    high -= Numbers.carry(low - value, value);
                    low -= value;
                    count--;
                }
            }
            setSum(function, place, low, high, count);
        }
    }

    /** Sums of DECIMALs of more than 18 digits. */
    private void wideSums(Function function) {
        int argument = function.call().arguments().getFirst();
        int scale = function.scale() - function.shift();
        WindowFunction kind = function.call().function();
        int lost = start;
        int taken = start;
        BigDecimal sum = BigDecimal.ZERO;
        long count = 0;
        for (int place = start; place < end; place++) {
            pace(place);
            moveFrame(function.call().frame(), place);
            for (; taken < to; taken++) {
                if (!isNull(taken, argument)) {
                    sum = sum.add(WideDecimals.value(store.memory(), word(taken, argument), scale));
                    count++;
                }
            }
            for (; lost < from; lost++) {
                if (!isNull(lost, argument)) {
                    sum = sum.subtract(WideDecimals.value(store.memory(), word(lost, argument), scale));
                    count--;
                }
            }
            if (count > 0 || kind == WindowFunction.SUM0) {
                BigDecimal value =
                        kind == WindowFunction.AVG ? WideDecimals.average(sum, count, function.scale()) : sum;
                set(place, function.result(), WideDecimals.store(value, function.precision(), function.scale(), store));
            }
        }
    }

    private void setSum(Function function, int place, long low, long high, long count) {
        WindowFunction kind = function.call().function();
        if (count == 0 && kind != WindowFunction.SUM0) {
            return;
        }
        long value;
        if (kind == WindowFunction.AVG) {
            value = function.precision() > 0
                    ? Decimals.average(low, high, count, function.shift())
                    : Numbers.average(low, high, count);
        } else if (function.precision() > SqlType.MAX_WORD_PRECISION) {
            value = WideDecimals.storeSumOfWords(low, high, function.precision(), function.scale(), store);
        } else {
            value = function.precision() > 0
                    ? Decimals.fitSum(low, high, function.precision(), function.scale())
                    : Numbers.fitSum(low, high);
        }
        set(place, function.result(), value);
    }

    /** Rounded sums go on while rows are added only; a frame that loses rows is summed up anew. */
    private void roundedSums(Function function) {
        int argument = function.call().arguments().getFirst();
        WindowFunction kind = function.call().function();
        int summedFrom = start;
        int taken = start;
        double sum = 0;
        long count = 0;
        for (int place = start; place < end; place++) {
            pace(place);
            moveFrame(function.call().frame(), place);
            if (from != summedFrom) {
                summedFrom = from;
                taken = from;
                sum = 0;
                count = 0;
            }
            for (; taken < to; taken++) {
                pace(taken);
                if (!isNull(taken, argument)) {
                    sum = Numbers.add(sum, Double.longBitsToDouble(word(taken, argument)));
                    count++;
                }
            }
            if (count > 0) {
                setDouble(place, function.result(), kind == WindowFunction.AVG ? sum / count : sum);
            } else if (kind == WindowFunction.SUM0) {
                setDouble(place, function.result(), 0);
            }
        }
    }

    /** Candidates are the rows that no later row of the frame beats, so the first of them is the extreme one. */
    private void extremes(Function function) {
        int argument = function.call().arguments().getFirst();
        boolean least = function.call().function() == WindowFunction.MIN;
        int taken = start;
        int first = 0;
        int last = 0;
        makeRoom(end - start);
        for (int place = start; place < end; place++) {
            pace(place);
            moveFrame(function.call().frame(), place);
            for (; taken < to; taken++) {
                if (isNull(taken, argument)) {
                    continue;
                }
                while (last > first && !beats(function, candidates[last - 1], taken, argument, least)) {
                    last--;
                }
                candidates[last++] = taken;
            }
            while (first < last && candidates[first] < from) {
                first++;
            }
            if (first < last) {
                copy(candidates[first], argument, place, function.result());
            }
        }
    }

    private boolean beats(Function function, int one, int other, int argument, boolean least) {
        long x = word(one, argument);
        long y = word(other, argument);
        int compared = switch (function.type()) {
            case LONG -> Long.compare(x, y);
            case DOUBLE -> Double.compare(Double.longBitsToDouble(x), Double.longBitsToDouble(y));
            case STRING -> Strings.compare(store.memory(), x, y);
        };
        return least ? compared < 0 : compared > 0;
    }

    private void makeRoom(int rows) {
        if (candidates.length >= rows) {
            return;
        }
        WorkMemory work = store.workMemory();
        work.take((rows - candidates.length) * (long) Integer.BYTES);
        if (candidates.length <= RETAINED && rows > RETAINED) {
            work.letGoAfterwards(this);
        }
        candidates = new int[rows];
    }
}
