package io.reprise.torture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbered calls to a database, and their answers. Compares answers that come again with the first ones, and all of
 * them with the entries of {@link Tickets}. Any thread.
 */
final class CallLedger {
    /** The callers' knowledge of a call. */
    private enum State {
        /** Nothing: its effect may be there, once. */
        ASKED,
        ANSWERED,
        /** It was answered by a process that may have lost it again. */
        DOUBTFUL,
        /** It was told that it was rolled back. */
        ROLLED_BACK
    }

    private static final class Call {
        final Tickets.Kind kind;
        State state = State.ASKED;
        long answer;
        long answeredNs;

        Call(Tickets.Kind kind) {
            this.kind = kind;
        }
    }

    private final List<List<Call>> calls = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private boolean losing;
    private long answered;
    private long repeated;

    /** An empty one for so many callers. */
    CallLedger(int callers) {
        for (int i = 0; i < callers; i++) {
            calls.add(new ArrayList<>());
        }
    }

    /** A call is going to be made. Returns its number, counted by each caller. */
    synchronized int ask(int caller, Tickets.Kind kind) {
        calls.get(caller).add(new Call(kind));
        return calls.get(caller).size() - 1;
    }

    /** A call was answered: as before, if it was before. */
    synchronized void answered(int caller, int number, long answer) {
        Call call = calls.get(caller).get(number);
        switch (call.state) {
            case ROLLED_BACK -> problems.add(name(caller, number) + " was rolled back, and then answered " + answer);
            case ANSWERED -> {
                repeated++;
                if (call.answer != answer) {
                    problems.add(name(caller, number) + " was answered " + call.answer + ", and then " + answer);
                }
            }
            case ASKED, DOUBTFUL -> {
                call.state = losing ? State.DOUBTFUL : State.ANSWERED;
                call.answer = answer;
                call.answeredNs = System.nanoTime();
                answered++;
            }
        }
    }

    /** A call was rolled back by its procedure. */
    synchronized void rolledBack(int caller, int number) {
        Call call = calls.get(caller).get(number);
        if (call.state == State.ANSWERED || !Tickets.isRolledBack(number)) {
            problems.add(name(caller, number) + " was rolled back, and should have been answered " + call.answer);
        }
        call.state = State.ROLLED_BACK;
    }

    /** A call ended in a way that it should not have. */
    synchronized void failed(int caller, int number, Throwable why) {
        problems.add(name(caller, number) + " failed: " + why);
    }

    /** A process has died that may have lost what it had answered since. Until the next one is there, answers may still be its. */
    synchronized void mayHaveLost(long sinceNs) {
        losing = true;
        for (List<Call> ofOne : calls) {
            for (Call call : ofOne) {
                if (call.state == State.ANSWERED && call.answeredNs - sinceNs > 0) {
                    call.state = State.DOUBTFUL;
                }
            }
        }
    }

    /** From now on nobody answers but the process that is there. */
    synchronized void isThere() {
        losing = false;
    }

    /** The number of answers. */
    synchronized long answers() {
        return answered;
    }

    /** The number of repeated answers. */
    synchronized long repeatedAnswers() {
        return repeated;
    }

    /**
     * The problems so far.
     *
     * @param drawn the table, read by a statement that began at that time: counter, ticket, kind, caller, number,
     *     answer
     */
    synchronized List<String> problems(List<long[]> drawn, long begunNs) {
        List<String> found = new ArrayList<>(problems);
        Map<String, Integer> rowsOfCalls = new HashMap<>();
        Map<Long, Set<Long>> tickets = new HashMap<>();
        for (long[] row : drawn) {
            Tickets.Kind kind = Tickets.Kind.values()[(int) row[2]];
            int caller = (int) row[3];
            int number = (int) row[4];
            // Tickets of all counters are counted by themselves.
            long counter = kind == Tickets.Kind.ALL ? -1 : row[0];
            if (!tickets.computeIfAbsent(counter, id -> new HashSet<>()).add(row[1])) {
                found.add("ticket " + row[1] + " of counter " + counter + " was drawn twice");
            }
            rowsOfCalls.merge(name(caller, number), 1, Integer::sum);
            if (number >= calls.get(caller).size()) {
                found.add(name(caller, number) + " is there, and was never made");
            } else {
                compare(calls.get(caller).get(number), name(caller, number), row[5], found);
            }
        }
        tickets.forEach((counter, drawnThere) -> {
            if (drawnThere.stream().anyMatch(ticket -> ticket < 1 || ticket > drawnThere.size())) {
                found.add(
                        "of counter " + counter + " there are " + drawnThere.size() + " tickets, not numbered through");
            }
        });
        countRows(rowsOfCalls, begunNs, found);
        return found;
    }

    private static void compare(Call call, String name, long answer, List<String> found) {
        if (call.state == State.ROLLED_BACK) {
            found.add(name + " was rolled back, and is there");
        } else if (call.state == State.ANSWERED && call.answer != answer) {
            found.add(name + " was answered " + call.answer + ", and what is there was answered " + answer);
        }
    }

    /** Each call that was answered has its rows, each other one has none or these. */
    private void countRows(Map<String, Integer> rowsOfCalls, long begunNs, List<String> found) {
        for (int caller = 0; caller < calls.size(); caller++) {
            for (int number = 0; number < calls.get(caller).size(); number++) {
                Call call = calls.get(caller).get(number);
                int rows = rowsOfCalls.getOrDefault(name(caller, number), 0);
                boolean certain = call.state == State.ANSWERED && call.answeredNs - begunNs < 0;
                if (rows != call.kind.rows && (rows != 0 || certain)) {
                    found.add(
                            name(caller, number) + ", " + call.state + ", has " + rows + " rows of " + call.kind.rows);
                }
            }
        }
    }

    private static String name(int caller, int number) {
        return "call " + number + " of caller " + caller;
    }
}
