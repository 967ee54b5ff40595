package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that ties a data directory to a node of a cluster. */
final class ClusterIdentityTest {
    @TempDir
    private Path directory;

    @Test
    void shouldBeReadAsItWasWritten() {
        ClusterIdentity written = ClusterIdentity.create("shop", "0f3c", 1);

        assertThat(ClusterIdentity.read(directory)).isEmpty();
        written.write(directory);

        assertThat(ClusterIdentity.read(directory)).contains(written);
        assertThatCode(() -> written.require(directory, "shop", 1)).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseTheDataOfAnotherNodeOrCluster() {
        ClusterIdentity written = ClusterIdentity.create("shop", "0f3c", 1);

        assertThatThrownBy(() -> written.require(directory, "shop", 0))
                .hasMessage(
                        "the data in " + directory + " are those of node 1 of cluster 'shop', and the configuration is"
                                + " for node 0 of cluster 'shop'; check cluster.name, cluster.node and data.directory");
        assertThatThrownBy(() -> written.require(directory, "store", 1))
                .hasMessageContaining("the configuration is for node 1 of cluster 'store'");
    }

    @Test
    void shouldRefuseTheDataOfANodeOfAClusterWithoutIt() {
        assertThatCode(() -> ClusterIdentity.requireNone(directory)).doesNotThrowAnyException();
        ClusterIdentity.create("shop", "0f3c", 1).write(directory);

        assertThatThrownBy(() -> ClusterIdentity.requireNone(directory))
                .hasMessageStartingWith(
                        "the data in " + directory + " are those of node 1 of cluster 'shop', and can't be")
                .hasMessageContaining("restore a backup of it into one node");
    }

    @Test
    void shouldNameADamagedFile() throws IOException {
        Files.writeString(directory.resolve(".cluster"), "cluster=shop\n");

        assertThatThrownBy(() -> ClusterIdentity.read(directory))
                .hasMessageContaining(directory.resolve(".cluster").toString())
                .hasMessageContaining("is damaged; restore it from another copy of the data directory");
    }
}
