package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the schema and the procedures of a node while it runs. */
@Command(
        name = "deploy",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a DDL script and deploys the procedures of a jar, between two transactions: all of it or nothing.",
            "The node is that of a data directory, or with --server one at an address, where the user needs the role administer.",
            "Procedures that were deployed before and whose classes the jar has are replaced by the jar's."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is done",
            "3:the message says why; nothing has changed, unless it says that this is unknown"
        },
        footer = {
            "",
            "Examples:",
            "  reprise deploy --ddl schema.sql",
            "  reprise deploy bank.jar --ddl procedures.sql",
            "  reprise deploy --server db1:21212 --tls-ca ca.pem --user ann bank.jar --ddl procedures.sql"
        })
final class DeployCommand implements Callable<Integer> {
    private static final int FAILED = 3;
    private static final byte[] ZIP = {'P', 'K'};
    private static final byte[] CLASS = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE};

    @Mixin
    private ServerChoice server;

    @Parameters(arity = "0..1", paramLabel = "JAR", description = "A jar with procedure classes.")
    private Path jar;

    @Option(
            names = "--ddl",
            paramLabel = "FILE",
            description = "A script of DDL that declares the procedures, and whatever else.")
    private Path ddl;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (jar == null && ddl == null) {
            throw new ParameterException(spec.commandLine(), "name a jar, a script by --ddl, or both");
        }
        byte[] classes = jar == null ? new byte[0] : jarBytes();
        byte[] script = ddl == null ? new byte[0] : GivenFile.bytes(ddl);
        return server.isAtAddress() ? overTheNetwork(script, classes) : locally(script, classes);
    }

    private int overTheNetwork(byte[] script, byte[] classes) throws IOException, InterruptedException {
        String text = ddl == null ? "" : GivenFile.text(script, ddl.toString());
        try (Client client = server.connect()) {
            CompletableFuture<Void> changed = jar == null ? client.ddlAsync(text) : client.deployAsync(classes, text);
            if (server.changeTimeout().isPresent()) {
                changed.get(server.changeTimeout().get().toSeconds(), TimeUnit.SECONDS);
            } else {
                changed.get();
            }
            spec.commandLine().getOut().println("The schema has changed.");
            return 0;
        } catch (TimeoutException late) {
            return failed("the node did not answer in time; whether it was done is not known");
        } catch (ExecutionException failure) {
            return failed(
                    failure.getCause() instanceof CallException why
                            ? why.code().name() + ": " + why.getMessage()
                            : failure.getCause().toString());
        }
    }

    private int failed(String why) {
        spec.commandLine().getErr().println("reprise: " + why);
        return FAILED;
    }

    private int locally(byte[] script, byte[] classes) throws IOException, InterruptedException {
        try (NodeClient node = server.node()) {
            HttpResponse<String> answer = jar == null
                    ? node.post("/ddl", GivenFile.text(script, ddl.toString()))
                    : node.post("/deploy", body(script, classes));
            return NodeClient.print(answer, spec.commandLine());
        }
    }

    /** A script where the jar belongs is what is mistyped most; the node could only say that it finds no class in it. */
    private byte[] jarBytes() throws IOException {
        byte[] bytes = GivenFile.bytes(jar);
        if (startsWith(bytes, ZIP)) {
            return bytes;
        }
        if (startsWith(bytes, CLASS)) {
            throw new IllegalArgumentException(
                    jar + " is a class and no jar; put it into one, with the folders of its package: "
                            + "jar --create --file procedures.jar -C CLASSES .");
        }
        throw new IllegalArgumentException(
                jar + " is no jar; if it is a script of DDL, write --ddl before it: reprise deploy"
                        + (ddl == null ? " --ddl " + jar : " JAR --ddl FILE"));
    }

    private static boolean startsWith(byte[] bytes, byte[] beginning) {
        return bytes.length >= beginning.length
                && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
    }

    /** The script's length in bytes on a line, the script, the jar. */
    private static byte[] body(byte[] script, byte[] jar) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes((script.length + "\n").getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(script);
        body.writeBytes(jar);
        return body.toByteArray();
    }
}
