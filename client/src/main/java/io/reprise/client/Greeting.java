package io.reprise.client;

import com.google.protobuf.ByteString;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Hello;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;

/** The first message of a client. A password is sent only over TLS or within this machine, unless the settings allow it. */
final class Greeting {
    /** The field is the last one, so the frame ends with it. */
    private static final ByteString LINE_END = ByteString.copyFromUtf8("\r\n\r\n");

    private final ClientSettings settings;
    private final long clientId;

    Greeting(ClientSettings settings, long clientId) {
        this.settings = settings;
        this.clientId = clientId;
    }

    /** Why the password may not be sent to this address; empty: it may, or there is none. */
    Optional<String> problem(SocketAddress server) {
        if (settings.credentials().isEmpty() || mayBeSent(settings.credentials().get(), server)) {
            return Optional.empty();
        }
        return Optional.of("the password was not sent, because there is no TLS to " + server
                + ", and all machines on the way could read it: connect with TLS (ClientSettings.withTls, --tls-ca)");
    }

    /** The address at the other end decides, not the name that it was looked up by. */
    private boolean mayBeSent(Credentials who, SocketAddress server) {
        return who.inTheClear()
                || settings.tls().isPresent()
                || server instanceof InetSocketAddress remote
                        && remote.getAddress().isLoopbackAddress();
    }

    Hello hello() {
        Hello.Builder hello = Hello.newBuilder()
                .setLeastVersion(Wire.VERSION)
                .setGreatestVersion(Wire.VERSION)
                .setSoftware("Reprise Java client")
                .setClientId(clientId)
                .setLineEnd(LINE_END);
        settings.credentials().ifPresent(who -> hello.setUser(who.user()).setPassword(who.password()));
        return hello.build();
    }
}
