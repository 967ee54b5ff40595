package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.engine.Options;
import io.reprise.execution.deploy.SourceCompiler;
import io.reprise.net.reprise.PortSettings;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.SchemaPart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the schema by clients. */
final class ServerSchemaTest {
    private static final int LONG_BYTES = 3 << 20;

    private Server server;

    @BeforeEach
    void open() {
        server = Server.open(
                Options.create().memoryPerPartition(64 << 20),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void shouldChangeTheSchemaAllOrNothing() {
        try (Client client = PatientClient.connect(server)) {
            client.ddl(
                    "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); CREATE TABLE u (id BIGINT NOT NULL PRIMARY KEY)");
            client.sql("INSERT INTO t VALUES (1)");

            assertThatThrownBy(() -> client.ddl("DROP TABLE t; DROP TABLE nothing"))
                    .isInstanceOfSatisfying(
                            CallException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST));

            assertThat(client.sql("SELECT COUNT(*) FROM t").rows().count()).isEqualTo(1);
        }
    }

    @Test
    void shouldDeployAJarThatIsLongerThanAFrame() throws IOException {
        byte[] jar = withFiller(SourceCompiler.jar(Map.of(
                "p.Next",
                "package p; public final class Next extends io.reprise.procedure.Procedure {"
                        + " public long run(long x) { return x + 1; } }")));
        assertThat(jar.length).isGreaterThan(LONG_BYTES);

        try (Client client = PatientClient.connect(server)) {
            client.deployAsync(jar, "CREATE PROCEDURE FROM CLASS p.Next").join();

            assertThat(client.call("Next", 41).longValue()).isEqualTo(42);
        }
    }

    /** Random bytes, which can't be packed. */
    private static byte[] withFiller(byte[] jar) throws IOException {
        byte[] filler = new byte[LONG_BYTES];
        new Random(1).nextBytes(filler);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipInputStream from = new ZipInputStream(new ByteArrayInputStream(jar));
                ZipOutputStream to = new ZipOutputStream(bytes)) {
            for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
                to.putNextEntry(new ZipEntry(entry.getName()));
                from.transferTo(to);
            }
            to.putNextEntry(new ZipEntry("filler.bin"));
            to.write(filler);
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldEndAConnectionThatBeginsAChangeBeforeAnotherHasEnded() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            connection.sendFrame(
                    Wire.SCHEMA_PART,
                    SchemaPart.newBuilder().setId(1).setMore(true).build().toByteArray());
            connection.sendFrame(
                    Wire.SCHEMA_PART, SchemaPart.newBuilder().setId(2).build().toByteArray());

            Goodbye goodbye = connection.readGoodbye();

            assertThat(goodbye.getReason()).isEqualTo(Goodbye.Reason.MALFORMED);
            assertThat(goodbye.getMessage()).contains("before another has ended");
        }
    }

    @Test
    void shouldRefuseAChangeThatIsTooLong() {
        try (Client client = PatientClient.connect(server)) {
            assertThatThrownBy(() -> client.deploy(new byte[Wire.MAX_CHANGE_BYTES], "DROP TABLE t"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most " + Wire.MAX_CHANGE_BYTES);
            assertThatThrownBy(() -> client.deploy(new byte[0], "DROP TABLE t")).hasMessageContaining("use ddl");
        }
    }
}
