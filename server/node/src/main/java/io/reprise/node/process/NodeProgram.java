package io.reprise.node.process;

import io.reprise.configuration.NodeConfiguration;
import java.util.Optional;

/** The program around a node: the owner of its configuration file and of the log's level. Any thread. */
public interface NodeProgram {
    /** A program without a file. */
    NodeProgram NONE = new NodeProgram() {
        @Override
        public Optional<NodeConfiguration> read() {
            return Optional.empty();
        }

        @Override
        public void level(NodeConfiguration.Level level) {}
    };

    /** Reads the configuration again; empty: there is no file. */
    Optional<NodeConfiguration> read();

    /** Changes the least important messages of the program's log. */
    void level(NodeConfiguration.Level level);
}
