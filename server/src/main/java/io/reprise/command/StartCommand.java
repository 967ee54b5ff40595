package io.reprise.command;

import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.NodeProcess;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a node in this process and stays until it is stopped. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a node and stays until it is stopped, by Ctrl-C, SIGTERM or \"reprise stop\": then calls under way are"
                    + " finished, a snapshot is made, and the process ends. kill -9 loses nothing that was answered.",
            "Without a configuration every setting has its default; cluster-config/samples/node.yaml shows them all."
        },
        footer = {
            "",
            "Examples:",
            "  reprise start",
            "  reprise start /var/lib/reprise",
            "  reprise start --config node.yaml",
            "  reprise start --config node.yaml --http-port 0 --port 0"
        })
final class StartCommand implements Callable<Integer> {
    private static final int FAILED = 3;
    private static final long LOOK_MS = 500;

    @Mixin
    private NodeChoice choice;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Instead of the configuration's http.port; 0: any that is free.")
    private Integer httpPort;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Instead of the configuration's clients.port; 0: any that is free.")
    private Integer clientPort;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        NodeConfiguration configuration = choice.configuration();
        if (httpPort != null) {
            configuration = configuration.onHttpPort(httpPort);
        }
        if (clientPort != null) {
            configuration = configuration.onClientPort(clientPort);
        }
        logAs(configuration.logging());
        NodeProcess node = NodeProcess.start(configuration);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("reprise-stop").unstarted(() -> {
                    try {
                        node.close();
                    } finally {
                        stopped.countDown();
                    }
                }));
        while (!stopped.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
            Optional<String> failure = node.failure();
            if (failure.isPresent()) {
                err.println("reprise: the engine has ended: " + failure.get());
                return FAILED;
            }
        }
        return 0;
    }

    private static void logAs(NodeConfiguration.Logging logging) {
        System.setProperty("reprise.log.level", logging.level().name());
        RepriseCommand.logInsteadBy(
                "io/reprise/logging/node-" + logging.format().name().toLowerCase(Locale.ROOT) + ".xml");
    }
}
