package io.reprise.engine;

import io.reprise.execution.Work;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The planning of ad hoc statements for the tables as they are now. Any thread plans; a plan that was overtaken by a change of the
 * tables is made again.
 */
final class AdHocPlanning {
    /** The number of ad hoc statements that keep their plans; fewer do where their texts are long. */
    private static final int AD_HOC_STATEMENTS = 1000;

    private final EngineSettings settings;
    private final EngineMeters meters;
    private final Supplier<Schema> now;
    private final Function<String, Work> procedures;
    private final AdHocStatements adHoc;

    /** Held for moments: while a statement is bound to the tables, and by a site's thread while they change. */
    private final Object tables = new Object();

    private Optional<Persistence> persistence = Optional.empty();
    private Sites sites;

    /**
     * Plans for a schema.
     *
     * @param procedures finds a deployed procedure by its name
     */
    AdHocPlanning(
            EngineSettings settings, EngineMeters meters, Supplier<Schema> now, Function<String, Work> procedures) {
        this.settings = settings;
        this.meters = meters;
        this.now = now;
        this.procedures = procedures;
        adHoc = new AdHocStatements(AD_HOC_STATEMENTS);
    }

    /** Says where statements run from now on. */
    void runIn(Sites newSites, Optional<Persistence> newPersistence) {
        sites = newSites;
        persistence = newPersistence;
    }

    /** Runs something while no statement is bound to the tables. */
    void exclude(Runnable action) {
        synchronized (tables) {
            action.run();
        }
    }

    /** Takes all statements out of service, because the tables have changed; within {@link #exclude}. */
    void retireAll() {
        adHoc.retireAll();
    }

    /** A statement that is a transaction of its own; planned when it comes for the first time. */
    StatementWork statement(String text) {
        return statement(text, () -> true);
    }

    /** A statement that has been planned for the tables as they are now. */
    Optional<StatementWork> planned(String text) {
        synchronized (tables) {
            return Optional.ofNullable(adHoc.find(text));
        }
    }

    /** Whether a statement has been planned for the tables as they are now. */
    boolean isPlanned(String text) {
        synchronized (tables) {
            return adHoc.find(text) != null;
        }
    }

    /** The same as {@link #statement}, given up when its client is gone. */
    StatementWork statement(String text, BooleanSupplier wanted) {
        Optional<LoggingExplanation.Subject> explained = LoggingExplanation.subject(text);
        return explained.isPresent() ? explainLogging(text, explained.get(), wanted) : planned(text, wanted);
    }

    /** A statement that tells how a procedure or a statement is logged. It is not kept, because the figures change all the time. */
    private StatementWork explainLogging(String text, LoggingExplanation.Subject subject, BooleanSupplier wanted) {
        boolean isProcedure = subject.procedure() != null;
        Work work = isProcedure ? procedures.apply(subject.procedure()) : planned(subject.statement(), wanted);
        String answer = LoggingExplanation.of(
                work,
                isProcedure,
                persistence.isPresent() ? settings.durability().method() : null,
                (version, distributed) -> persistence.flatMap(p -> p.loggingStats(version, distributed)));
        StatementWork told = WorkFactory.told(text, answer);
        synchronized (tables) {
            told.bind(sites.partitions());
            meters.measureAdHoc(told);
        }
        return told;
    }

    private StatementWork planned(String text, BooleanSupplier wanted) {
        StatementWork planned = null;
        Schema plannedFor = null;
        while (true) {
            synchronized (tables) {
                StatementWork known = adHoc.find(text);
                if (known != null) {
                    return known;
                }
                if (planned != null && plannedFor == now.get()) {
                    planned.bind(sites.partitions());
                    meters.measureAdHoc(planned);
                    adHoc.add(text, planned);
                    return planned;
                }
                plannedFor = now.get();
            }
            planned = WorkFactory.adHoc(plannedFor.catalog(), text, whyNot(wanted));
        }
    }

    String explain(String text) {
        return WorkFactory.explain(now.get().catalog(), text, whyNot(() -> true));
    }

    /** The reason to end planning that begins now: its client is gone, or it has taken too long. */
    private Supplier<Optional<ProcedureException>> whyNot(BooleanSupplier wanted) {
        long begun = settings.clock().nanoTime();
        return () -> {
            if (!wanted.getAsBoolean()) {
                return Optional.of(new ProcedureException(
                        ErrorCode.SHUTTING_DOWN, "the connection has ended; the statement was not planned"));
            }
            return settings.limits().planning().isZero()
                            || settings.clock().nanoTime() - begun
                                    <= settings.limits().planning().toNanos()
                    ? Optional.empty()
                    : Optional.of(
                            new ProcedureException(
                                    ErrorCode.TIME_LIMIT,
                                    "planning the statement took longer than the limit of "
                                            + settings.limits().planning().toMillis()
                                            + " ms (engine.planningLimit in the configuration): split it, or give its values as parameters"));
        };
    }
}
