package io.reprise.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Network namespaces for nodes of a cluster, each with one address, joined by a bridge in the namespace of this process. Addresses are
 * of 127.0.0.0/8, which need no TLS; the kernel routes them over the bridge. This process needs a namespace of its own and may
 * administer it, as within {@code unshare --user --map-root-user --net}.
 */
final class NodeNamespaces implements AutoCloseable {
    /** The address of the bridge, which all nodes reach. */
    static final String HUB = "127.83.0.254";

    private static final String NOBODY = "02:00:00:00:00:99";

    private final List<Process> holders = new ArrayList<>();

    /** A namespace for each of some nodes. */
    NodeNamespaces(int nodes) throws IOException, InterruptedException {
        run("ip", "link", "set", "lo", "up");
        run("ip", "link", "add", "hub", "type", "bridge");
        routeLoopbackAddresses();
        run("ip", "addr", "add", HUB + "/24", "dev", "hub");
        run("ip", "link", "set", "hub", "up");
        keepOneLoopbackAddress();
        for (int node = 0; node < nodes; node++) {
            add(node);
        }
    }

    static String address(int node) {
        return "127.83.0." + (node + 1);
    }

    private void add(int node) throws IOException, InterruptedException {
        // It lives as long as its standard input is open.
        Process holder = new ProcessBuilder("unshare", "--net", "sh", "-c", "echo ready; read line").start();
        holders.add(holder);
        if (holder.getInputStream().read() < 0) {
            throw new IOException("no network namespace for node " + node);
        }
        run("ip", "link", "add", "to" + node, "type", "veth", "peer", "name", "net" + node);
        run("ip", "link", "set", "to" + node, "master", "hub", "up");
        run("ip", "link", "set", "net" + node, "netns", String.valueOf(holder.pid()));
        in(node, "ip", "link", "set", "lo", "up");
        in(node, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet");
        in(node, "ip", "addr", "add", address(node) + "/24", "dev", "net" + node);
        in(node, "ip", "link", "set", "net" + node, "up");
        in(node, "ip", "route", "del", "local", "127.0.0.0/8", "dev", "lo", "table", "local");
    }

    private static void routeLoopbackAddresses() throws IOException, InterruptedException {
        run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet");
    }

    private static void keepOneLoopbackAddress() throws IOException, InterruptedException {
        run("ip", "route", "del", "local", "127.0.0.0/8", "dev", "lo", "table", "local");
    }

    /** The words of a command that runs in a node's namespace. */
    List<String> command(int node, List<String> words) {
        List<String> all = new ArrayList<>(
                List.of("nsenter", "--net=/proc/" + holders.get(node).pid() + "/ns/net"));
        all.addAll(words);
        return all;
    }

    private void in(int node, String... words) throws IOException, InterruptedException {
        run(command(node, List.of(words)).toArray(String[]::new));
    }

    /** Frames from one node to another are lost from now on; the other way they arrive. */
    void drop(int from, int to) throws IOException, InterruptedException {
        in(from, "ip", "neigh", "replace", address(to), "lladdr", NOBODY, "dev", "net" + from, "nud", "permanent");
    }

    /** Ends {@link #drop}. */
    void pass(int from, int to) throws IOException, InterruptedException {
        in(from, "ip", "neigh", "del", address(to), "dev", "net" + from);
    }

    /** Nothing reaches the node or leaves it from now on. */
    void cut(int node) throws IOException, InterruptedException {
        run("ip", "link", "set", "to" + node, "down");
    }

    /** Ends {@link #cut}. */
    void join(int node) throws IOException, InterruptedException {
        run("ip", "link", "set", "to" + node, "up");
    }

    /** Runs a command, which has to succeed. */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said.strip());
        }
    }

    @Override
    public void close() {
        holders.forEach(Process::destroyForcibly);
    }
}
