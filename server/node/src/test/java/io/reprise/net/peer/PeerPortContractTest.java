package io.reprise.net.peer;

import io.reprise.cluster.Links;
import io.reprise.cluster.LinksContract;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Links over TCP keep the contract of {@link Links}. */
final class PeerPortContractTest extends LinksContract {
    private final PeerPort[] ports = {
        PeerPorts.open(PeerPorts.settings(0).withBuffers(1 << 20, 64 << 20)),
        PeerPorts.open(PeerPorts.settings(1).withBuffers(1 << 20, 64 << 20))
    };

    @AfterEach
    void close() {
        for (PeerPort port : ports) {
            port.close();
        }
    }

    @Override
    protected Links links(int node) {
        return ports[node];
    }

    @Override
    protected String address() {
        return PeerPorts.address(ports[1]);
    }

    @Override
    protected String deadAddress() {
        try (ServerSocket free = new ServerSocket(0)) {
            return "127.0.0.1:" + free.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    protected void await(BooleanSupplier condition) {
        PeerPorts.await(condition);
    }
}
