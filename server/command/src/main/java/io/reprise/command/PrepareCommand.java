package io.reprise.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Makes the JVM's cache for this installation. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a cache with which nodes, and all other commands, start in half the time. It takes some twenty seconds and 80 MB"
                    + " beside the program's jars.",
            "The first \"reprise start\" does it by itself, in the background, if it may write there; for a container's image or"
                    + " an installation that belongs to root it is done at installing. A cache of another JVM or of other jars is"
                    + " not used, and made again."
        },
        footer = {"", "Example: reprise prepare"})
final class PrepareCommand implements Callable<Integer> {
    private static final int MEGABYTE = 1_000_000;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        StartCache cache = StartCache.ofThisProcess()
                .orElseThrow(() -> new IllegalStateException("this process was not told where the cache is; use"
                        + " scripts/reprise or the distribution's bin/reprise"));
        cache.make();
        out.println("Starts are prepared: " + cache.file() + ", " + Files.size(cache.file()) / MEGABYTE + " MB.");
        return 0;
    }
}
