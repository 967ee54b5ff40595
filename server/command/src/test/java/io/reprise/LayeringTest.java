package io.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.reprise.layering.Exemptions;
import io.reprise.layering.Knots;
import io.reprise.layering.LayeringRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The server and the procedures keep the layering; {@code LayeringRulesTest} shows that the rules would notice. */
final class LayeringTest {
    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
                .importPackages("io.reprise");
    }

    static List<ArchRule> rules() {
        return new LayeringRules("io.reprise").all();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldKeep(ArchRule rule) {
        rule.check(classes);
    }

    @Test
    void shouldKeepKnotsSmall() {
        assertThat(new Knots(classes).tooLarge()).isEmpty();
    }

    @Test
    void shouldExemptOnlyClassesThatExist() {
        assertThat(Exemptions.all())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(classes.contain("io.reprise." + name))
                        .as(name)
                        .isTrue());
    }

    /** Without its exemption each class would break the rule. */
    @Test
    void shouldExemptOnlyClassesThatNeedIt() {
        LayeringRules.withoutExemptions("io.reprise").forEach((exemptions, rule) -> {
            List<String> broken = rule.evaluate(classes).getFailureReport().getDetails();

            assertThat(exemptions.names()).isNotEmpty();
            assertThat(exemptions.names().stream().filter(name -> !isIn(broken, name)))
                    .as(rule.getDescription())
                    .isEmpty();
        });
    }

    private static boolean isIn(List<String> details, String name) {
        Pattern breaker = Pattern.compile("<io\\.reprise\\." + Pattern.quote(name) + "[.$>]");
        return details.stream().anyMatch(detail -> breaker.matcher(detail).find());
    }

    @Test
    void shouldSeeTheServerAndTheProcedures() {
        assertThat(classes.contain("io.reprise.id.TransactionId")).isTrue();
        assertThat(classes.contain("io.reprise.procedure.Procedure")).isTrue();
        assertThat(classes.contain("io.reprise.LayeringTest")).isFalse();
    }

    @Test
    void shouldExplainEveryPackage() throws IOException {
        for (String module : List.of(
                "procedures/api",
                "procedures/workloads",
                "client",
                "server/grammar",
                "server/engine",
                "server/node",
                "server/command",
                "benchmarks")) {
            Path sources = Path.of("..", "..", module, "src", "main", "java");
            try (Stream<Path> folders = Files.walk(sources)) {
                assertThat(folders.filter(LayeringTest::holdsUnexplainedClasses))
                        .as("packages of %s without package-info.java", module)
                        .isEmpty();
            }
        }
    }

    private static boolean holdsUnexplainedClasses(Path folder) {
        if (!Files.isDirectory(folder) || Files.exists(folder.resolve("package-info.java"))) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".java"));
        } catch (IOException e) {
            throw new IllegalStateException("can't list " + folder, e);
        }
    }
}
