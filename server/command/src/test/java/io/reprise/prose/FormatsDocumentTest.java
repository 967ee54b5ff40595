package io.reprise.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The document about the numbers of all forms has the numbers of the code. */
final class FormatsDocumentTest {
    private static final Path ROOT = ProseTest.ROOT;
    private static final Path DOCUMENT = ROOT.resolve("docs/reference/formats/README.md");
    private static final String ENGINE = "server/engine/src/main/java/io/reprise/";

    /**
     * A form.
     *
     * @param row the beginning of its row
     * @param file the source with its number
     * @param constant the constant's name
     */
    private record Form(String row, String file, String constant) {
        int number() throws IOException {
            Matcher found =
                    Pattern.compile(" " + constant + " = \"?(\\d+)\"?;").matcher(Files.readString(ROOT.resolve(file)));
            assertThat(found.find()).as(toString()).isTrue();
            return Integer.parseInt(found.group(1));
        }
    }

    private static final List<Form> FORMS = List.of(
            new Form("[log](log.md)", ENGINE + "log/LogFormat.java", "VERSION"),
            new Form("[snapshot](snapshot.md)", ENGINE + "snapshot/file/BlockFormat.java", "FORMAT"),
            new Form("[snapshot](snapshot.md)", ENGINE + "snapshot/file/ManifestCodec.java", "FORMAT"),
            new Form("schema", ENGINE + "engine/SchemaRecord.java", "FORMAT"),
            new Form("durable position", ENGINE + "engine/DurablePosition.java", "FORMAT"),
            new Form("[runs](log-runs.md)", ENGINE + "recovery/run/LogRun.java", "FORMAT"),
            new Form("kept statements", ENGINE + "execution/work/StoredStatements.java", "FORMAT"),
            new Form("[archive](archive.md)", ENGINE + "archive/LogPiece.java", "FORMAT"),
            new Form("[protocol of clients](wire.md)", "client/src/main/java/io/reprise/wire/Wire.java", "VERSION"),
            new Form("[protocol of nodes](peer.md)", ENGINE + "cluster/Levels.java", "GREATEST"),
            new Form(
                    "configuration of a cluster",
                    "server/node/src/main/java/io/reprise/cluster/zookeeper/ClusterConfiguration.java",
                    "FORMAT"));

    /** The cells of the first row that begins so. */
    private static List<String> row(String beginning) throws IOException {
        String line = Files.readAllLines(DOCUMENT).stream()
                .filter(each -> each.startsWith("| " + beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError(beginning + " has no row"));
        List<String> cells = new ArrayList<>();
        for (String cell : line.substring(1).split("\\|", -1)) {
            cells.add(cell.strip());
        }
        return cells;
    }

    @Test
    void shouldHaveTheNumbersOfTheCode() throws IOException {
        for (Form form : FORMS) {
            assertThat(row(form.row()).get(1)).as(form.row()).isEqualTo(String.valueOf(form.number()));
        }
    }

    @Test
    void shouldTellTheFormsOfTheVersionThatIsBuilt() throws IOException {
        Matcher version = Pattern.compile("<version>(.*)</version>").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();

        List<String> forms = row(version.group(1).replace("-SNAPSHOT", "")).subList(1, 6);

        assertThat(forms)
                .containsExactly(
                        row("[log](log.md)").get(1),
                        row("[snapshot](snapshot.md)").get(1),
                        row("[archive](archive.md)").get(1),
                        row("[protocol of clients](wire.md)").get(1),
                        row("[protocol of nodes](peer.md)").get(1));
    }
}
