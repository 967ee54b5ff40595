package io.reprise.runtime.file;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The system's table of TCP connections, for servers that can't see from their own side that a client has closed. Linux has it in files;
 * elsewhere no connection is known.
 */
public final class TcpTable {
    private static final List<Path> FILES = List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
    private static final String ESTABLISHED = "01";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;

    /** An entry may be missed while others come and go. */
    private static final int MISSES = 2;

    private TcpTable() {}

    /** A connection of this process. */
    public static Connection connection(InetSocketAddress local, InetSocketAddress remote) {
        return new Connection(names(local), names(remote));
    }

    /** A connection as its server sees it. Used by one thread. */
    public static final class Connection {
        private final List<String> local;
        private final List<String> remote;
        private boolean found;
        private int missed;

        private Connection(List<String> local, List<String> remote) {
            this.local = local;
            this.remote = remote;
        }

        /** Whether the peer has closed the connection, or its own direction of it. False where that is not known. */
        public boolean isGone() {
            Optional<String> state = state();
            if (state.isPresent()) {
                found = true;
                missed = 0;
                return !state.get().equals(ESTABLISHED);
            }
            missed++;
            return found && missed >= MISSES;
        }

        private Optional<String> state() {
            return FILES.stream().flatMap(this::states).findFirst();
        }

        private Stream<String> states(Path file) {
            try {
                return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                        .map(line -> line.strip().split(" +"))
                        .filter(words ->
                                words.length > STATE && local.contains(words[LOCAL]) && remote.contains(words[REMOTE]))
                        .map(words -> words[STATE]);
            } catch (IOException unknown) {
                return Stream.empty();
            }
        }
    }

    /** The names of an address in both files; each word of it is printed as a number of this machine. */
    private static List<String> names(InetSocketAddress address) {
        String port = ":" + HexFormat.of().withUpperCase().toHexDigits((short) address.getPort());
        InetAddress host = address.getAddress();
        String own = words(host.getAddress());
        return host instanceof Inet4Address
                ? List.of(own + port, words(new byte[8]) + words(new byte[] {0, 0, -1, -1}) + own + port)
                : List.of(own + port);
    }

    private static String words(byte[] address) {
        ByteBuffer bytes = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        StringBuilder words = new StringBuilder();
        while (bytes.hasRemaining()) {
            words.append(HexFormat.of().withUpperCase().toHexDigits(bytes.getInt()));
        }
        return words.toString();
    }
}
