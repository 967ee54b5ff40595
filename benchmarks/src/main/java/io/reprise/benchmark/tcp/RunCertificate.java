package io.reprise.benchmark.tcp;

import io.reprise.access.Protection;
import io.reprise.access.Tls;
import io.reprise.client.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for one run, with a key on the curve P-256, made by the JDK's keytool in a folder that the processes of both sides
 * know.
 */
final class RunCertificate {
    private static final String PASSWORD = "no secret";

    private final Path keys;
    private final Path certificate;

    RunCertificate(Path folder) {
        keys = folder.resolve("keys.p12");
        certificate = folder.resolve("server.crt");
    }

    /** Makes it, unless an earlier part of the run has. */
    void make() throws IOException {
        if (Files.exists(certificate)) {
            return;
        }
        Files.createDirectories(keys.getParent());
        keytool("-genkeypair", "-dname", "CN=bench", "-keyalg", "EC", "-groupname", "secp256r1");
        keytool("-exportcert", "-rfc", "-file", certificate.toString());
    }

    private void keytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "server", "-keystore", keys.toString(), "-storepass", PASSWORD));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException("keytool could not make a certificate; what it said is above");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keytool made a certificate", e);
        }
    }

    /** The server's side. */
    Protection protection() throws IOException {
        try (InputStream in = Files.newInputStream(keys)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return new Protection(Optional.of(new Tls(context, false)), Optional.empty(), false);
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate of this run can't be used", e);
        }
    }

    /** The client's side. */
    ClientTls trust() {
        return ClientTls.pinned(certificate);
    }
}
