package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFileTest {
    @TempDir
    private Path folder;

    @Test
    void shouldSayWhatItIsForAndWhatToDoWhenItCantBeWritten() {
        RunFile file = RunFile.ofThisProcess("", "", "", "token");

        assertThatThrownBy(() -> file.write(folder.resolve("missing")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("by which commands find this node; see who may write in that folder");
    }
}
