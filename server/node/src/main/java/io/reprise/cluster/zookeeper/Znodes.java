package io.reprise.cluster.zookeeper;

import java.util.OptionalInt;

/** The paths of a cluster's znodes. */
record Znodes(String root) {
    static final String ALL = "/reprise";

    static Znodes of(String cluster) {
        return new Znodes(ALL + "/" + cluster);
    }

    String config() {
        return root + "/config";
    }

    String map() {
        return root + "/map";
    }

    String nodes() {
        return root + "/nodes";
    }

    String node(int node) {
        return nodes() + "/" + node;
    }

    String live() {
        return root + "/live";
    }

    String live(int node) {
        return live() + "/" + node;
    }

    String operations() {
        return root + "/operations";
    }

    /** The node that a path below {@code live} is about. */
    OptionalInt liveNode(String path) {
        return path.startsWith(live() + "/") ? number(path.substring(live().length() + 1)) : OptionalInt.empty();
    }

    static OptionalInt number(String name) {
        return name.matches("[0-9]{1,9}") ? OptionalInt.of(Integer.parseInt(name)) : OptionalInt.empty();
    }
}
