package io.reprise.benchmark.drive;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.command.CommandOfModule;
import io.reprise.command.EarlyEnd;
import io.reprise.command.NodeClient;
import io.reprise.command.ServerChoice;
import io.reprise.workload.Workload;
import io.reprise.workload.ycsb.YcsbOptions.Mix;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Drives one of the workloads at a running node. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Drives a workload at a running node, or at the nodes of a cluster, over TCP, and says how many calls a second it answered and how long they took.",
            "Schema and procedures are deployed if they are not there, and the rows loaded if there are none. At a rate, calls are"
                    + " made when they are due, whether or not others have been answered, and timed from then (open loop); with"
                    + " --callers each waits for its reply (closed loop); with neither, as many are under way as may be."
                    + " Afterwards the workload's invariants are checked, and a result with drawings is written."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it ran, and the data are what the replies say, unless --no-check was given",
            "1:calls ended in errors or nothing was answered for ten seconds, or the data are wrong or could not be checked",
            "2:the command is wrong",
            "3:it could not be done, and the message says why"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  reprise bench voter",
            "  reprise bench tpcc --warehouses 4 --rate 20000 --duration 60",
            "  reprise bench ycsb --mix B --records 1000000 --callers 40",
            "  reprise bench smallbank --rate 5000,10000,20000,40000 --duration 20",
            "  reprise bench tatp --server localhost:21212 --clients 2 --out /tmp/results",
            "  reprise bench tpcc --nodes one:21212,two:21212,three:21212",
            "  reprise bench tpcc --nodes one:21212,two:21212 --driver 1/2      and 2/2 on another machine"
        })
public final class BenchCommand implements CommandOfModule {
    private static final int WRONG = 1;
    private static final int OK = 200;
    private static final int HEADED_LINES = 20;
    private static final DateTimeFormatter FILE_TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Mixin
    private ServerChoice server;

    @Parameters(
            paramLabel = "WORKLOAD",
            description = "tpcc, smallbank, voter, ycsb or tatp; docs/building/workloads.md says what they are.")
    private String workload;

    @Option(names = "--warehouses", paramLabel = "N", description = "The size of tpcc. Default: what is loaded, or 4.")
    private Integer warehouses;

    @Option(
            names = "--customers",
            paramLabel = "N",
            description = "The size of smallbank. Default: what is loaded, or 100,000.")
    private Integer customers;

    @Option(names = "--records", paramLabel = "N", description = "The size of ycsb. Default: 100,000.")
    private Integer records;

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            description = "The size of tatp. Default: what is loaded, or 100,000.")
    private Integer subscribers;

    @Option(names = "--mix", paramLabel = "A..F", description = "One of ycsb's core workloads. Default: A.")
    private Mix mix;

    @Option(
            names = {"-r", "--rate"},
            split = ",",
            paramLabel = "R",
            description = "Calls per second. Several, with commas between them: one after the other.")
    private List<Integer> rates = List.of(0);

    @Option(
            names = "--callers",
            paramLabel = "N",
            description = "So many threads that wait for each reply, and no rate.")
    private int callers;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of clients, each with a connection and two threads. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(
            names = "--driver",
            paramLabel = "I/N",
            description =
                    "One of N drivers, as 2/3 is the second of three. Each loads its share of the rows, and begins when all"
                            + " are there. The first one deploys the schema; the data are not checked.")
    private String driver;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Duration of the measurement at each rate; 0: until Ctrl-C. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "Duration of the run before that. Default: ${DEFAULT-VALUE}.")
    private int warmUpSeconds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "bench-results",
            description = "File of the result. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(names = "--no-files", description = "Print the result only.")
    private boolean noFiles;

    @Option(names = "--no-check", description = "Don't check the data afterwards: other clients change them too.")
    private boolean noCheck;

    @Spec
    private CommandSpec spec;

    private final CountDownLatch stop = new CountDownLatch(1);
    private int lines;

    @Override
    public Integer call() throws IOException, InterruptedException {
        NamedWorkload name = NamedWorkload.named(workload)
                .orElseThrow(() -> wrong("there is no workload " + workload + "; there are " + NamedWorkload.names()));
        OptionalInt size = size(name);
        Plan plan = plan();
        DriverShare share = share();
        noCheck |= !share.isAlone();
        if (!noFiles) {
            // Not to find out at the end of a long run that its result can't be written.
            Files.createDirectories(folder);
        }
        Workload prepared;
        ClientSettings settings;
        try {
            settings = server.settings();
            try (Client client = Session.connect(settings)) {
                prepared = new Preparation(client, name, mix == null ? Mix.A : mix, share, this::deploy, this::say)
                        .prepare(size);
            }
        } catch (CallException failure) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        // After Ctrl-C the measurements so far are still told.
        try (EarlyEnd early = new EarlyEnd(stop::countDown);
                Session session = new Session(prepared, settings, clients, System.nanoTime() >>> 10)) {
            return run(session, plan, prepared.name());
        } catch (CallException failure) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
    }

    private Plan plan() {
        try {
            return new Plan(rates, callers, clients, warmUpSeconds, seconds);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private DriverShare share() {
        try {
            return driver == null ? DriverShare.WHOLE : DriverShare.parse(driver);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private ParameterException wrong(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    private OptionalInt size(NamedWorkload name) {
        Map<String, Integer> sizes = new TreeMap<>();
        put(sizes, "warehouses", warehouses);
        put(sizes, "customers", customers);
        put(sizes, "records", records);
        put(sizes, "subscribers", subscribers);
        Integer own = sizes.remove(name.unit());
        if (!sizes.isEmpty() || mix != null && name != NamedWorkload.YCSB) {
            throw wrong(name + " has no --"
                    + (sizes.isEmpty() ? "mix" : sizes.keySet().iterator().next())
                    + (name.unit().isEmpty() ? "" : "; its size is --" + name.unit()));
        }
        if (own == null) {
            return OptionalInt.empty();
        }
        try {
            name.workload(own, Mix.A);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        return OptionalInt.of(own);
    }

    private static void put(Map<String, Integer> sizes, String unit, Integer size) {
        if (size != null) {
            sizes.put(unit, size);
        }
    }

    private void deploy(String ddl) throws IOException, InterruptedException {
        NodeClient own;
        try {
            own = server.node();
        } catch (IllegalStateException elsewhere) {
            throw new IllegalStateException(
                    "the node has no tables of " + workload
                            + ", and a schema can only be deployed on its machine, by who may read"
                            + " its data directory: do this there first",
                    elsewhere);
        }
        try (NodeClient node = own) {
            HttpResponse<String> answer = node.post("/ddl", ddl);
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(
                        "the node refuses the schema of " + workload + ": " + NodeClient.refusal(answer));
            }
        }
    }

    private Integer run(Session session, Plan plan, String name) throws IOException, InterruptedException {
        session.begin();
        List<Trial> trials = new ArrayList<>();
        for (int rate : plan.rates()) {
            if (stop.getCount() == 0) {
                break;
            }
            say(name + ": " + plan.describe(rate));
            lines = 0;
            Trial trial = Trial.run(session, plan, rate, trials.isEmpty() ? plan.warmUpSeconds() : 1, stop, this::tell);
            trials.add(trial);
            sum(trial);
            if (trial.silent()) {
                break;
            }
        }
        boolean good = trials.stream().allMatch(trial -> trial.firstError().isEmpty() && !trial.silent());
        Verdict verdict = Verdict.of(!noCheck, stop.getCount() == 0, trials, session::check);
        if (trials.size() < plan.rates().size()) {
            say("Of " + plan.rates().size() + " rates " + trials.size() + " were driven.");
        }
        say(verdict.text());
        if (!noFiles) {
            String file = name + "-" + LocalDateTime.now(ZoneOffset.UTC).format(FILE_TIME);
            Report report = new Report(name + " over TCP", commandLine(), plan, trials, verdict.text());
            say("Written: " + report.write(folder, file));
        }
        return good && verdict.good() ? 0 : WRONG;
    }

    private String commandLine() {
        return "reprise " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
    }

    private void tell(Second second, boolean warmUp) {
        if (lines++ % HEADED_LINES == 0) {
            say("     time     calls/s    p50 ms    p99 ms  p99.9 ms  rolled back  refused   errors");
        }
        say(String.format(
                Locale.ROOT,
                "%7.0f s %,11.0f %9.3f %9.3f %9.3f %12d %8d %8d%s",
                second.at(),
                second.perSecond(),
                second.p50Ms(),
                second.p99Ms(),
                second.p999Ms(),
                second.rolledBack(),
                second.refused(),
                second.errors(),
                warmUp ? "  warming up" : ""));
    }

    private void sum(Trial trial) {
        Second all = trial.all();
        say(String.format(
                Locale.ROOT,
                "%,.0f calls/s for %.0f s; p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms, longest %.1f ms",
                all.perSecond(),
                all.at(),
                all.p50Ms(),
                all.p99Ms(),
                all.p999Ms(),
                all.longestMs()));
        if (!trial.byNode().isEmpty()) {
            say(trial.byNode());
        }
        if (trial.fellBehind()) {
            say(String.format(
                    Locale.ROOT,
                    "The rate of %,d was not reached: the node, or this client, can't do more.",
                    trial.rate()));
        }
        if (trial.missed() > 0) {
            say(trial.saysMissed());
        }
        if (trial.silent()) {
            say(Trial.SAYS_SILENT);
        }
        if (!trial.failures().isEmpty()) {
            say("Calls that did not commit, the warm-up's included: " + trial.failures());
        }
        if (!trial.firstError().isEmpty()) {
            say("The first error: " + trial.firstError());
        }
    }

    /** Prints a line, unless the reader has gone, as in {@code reprise bench voter | head}. */
    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        if (out.checkError() || System.out.checkError()) {
            stop.countDown();
        }
    }
}
