package io.reprise.benchmark.tcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, with the flags of this one. */
public final class ServerProcess implements AutoCloseable {
    private static final long CLOSE_SECONDS = 20;

    private final Process process;
    private final InetSocketAddress address;
    private final BufferedReader answers;

    private ServerProcess(Process process, InetSocketAddress address, BufferedReader answers) {
        this.process = process;
        this.address = address;
        this.answers = answers;
    }

    static ServerProcess start(ServerSetup setup, Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        arguments.addAll(setup.words());
        return start(ServerMain.class, arguments);
    }

    /** Starts a main class that prints its port and ends with its standard input. */
    public static ServerProcess start(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!flag.startsWith("-agentpath") && !flag.startsWith("-agentlib") && !flag.startsWith("-javaagent")) {
                command.add(flag);
            }
        }
        command.addAll(extraFlags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        // A profiler that the JVM was given speaks first.
        while (line != null && !line.startsWith("port ")) {
            line = out.readLine();
        }
        if (line == null) {
            process.destroyForcibly();
            throw new IOException("the server did not start; what it said is above");
        }
        int port = Integer.parseInt(line.substring("port ".length()));
        return new ServerProcess(process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), out);
    }

    /** For profiles: flags of the server's process only. */
    private static List<String> extraFlags() {
        String flags = System.getenv("REPRISE_BENCH_SERVER_FLAGS");
        return flags == null || flags.isBlank()
                ? List.of()
                : List.of(flags.trim().split("\\s+"));
    }

    /** The address of the port that it has printed. */
    public InetSocketAddress address() {
        return address;
    }

    /** The processor time that it has had. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Its next line behind that of the port. */
    public String line() throws IOException {
        return String.valueOf(answers.readLine());
    }

    /** Asks by a line. Returns the line that is the answer. */
    public String ask(String question) throws IOException {
        OutputStream to = process.getOutputStream();
        to.write((question + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the server has ended; what it said last is above");
        }
        return answer;
    }

    /** Its present memory. */
    ServerMemory memory() throws IOException {
        return ServerMemory.of(ask(ServerMain.MEMORY));
    }

    /** Its memory without garbage. */
    ServerMemory collectedMemory() throws IOException {
        return ServerMemory.of(ask(ServerMain.COLLECTED_MEMORY));
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("the server did not end within " + CLOSE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
