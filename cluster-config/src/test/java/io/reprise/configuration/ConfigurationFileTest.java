package io.reprise.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigurationFileTest {
    private static final Path BASE = Path.of("/etc/reprise");
    private static final Path SAMPLES = Path.of("samples");

    @Test
    void shouldGiveTheDefaultsWhenNothingIsSaid() {
        NodeConfiguration expected = NodeConfiguration.defaults(BASE.resolve("data"));

        assertThat(parse("")).isEqualTo(expected);
        assertThat(parse("# only a comment\n")).isEqualTo(expected);
        assertThat(parse("engine:\nlog: {}\n")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "4, 3", "8, 6", "1000, 750", "10000, 4096"})
    void shouldLeaveAQuarterOfTheProcessorsToTheRest(int processors, int partitions) {
        assertThat(NodeConfiguration.usualPartitions(processors)).isEqualTo(partitions);
    }

    @Test
    void shouldRefuseAnObjectiveOfRecoveryOnDemandWhenThatIsOff() {
        assertThatThrownBy(() -> parse("recovery: {objectiveFirst: 2s}\n"))
                .hasMessageContaining("'recovery.objectiveFirst' is about recovery on demand");
        assertThatThrownBy(() -> parse("recovery: {objectiveBucket: 1s}\n"))
                .hasMessageContaining("'recovery.objectiveBucket' is about recovery on demand");
        assertThat(parse("recovery: {onDemand: true, objectiveFirst: 2s}\n")
                        .recovery()
                        .objectiveFirst())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void shouldReadEachKindOfValueWhenItIsSaid() {
        NodeConfiguration read = parse("""
                node: {name: alpha}
                data: {directory: ../var}
                engine:
                  partitions: 3
                  sites: 2
                  buckets: 4096
                  memoryPerPartition: 1.5 GiB
                  reservedHugePages: false
                  workMemory: 32MiB
                  heapPerTransaction: 64MiB
                  timeLimit: 2min
                  planningLimit: 5s
                  slowAfter: 0
                schema:
                  scripts: [a.sql, /b.sql]
                  jars: only.jar
                log:
                  method: Physiological
                  synchronous: false
                  compression: none
                  segment: 16MiB
                  largestRecord: 8MiB
                snapshot: {every: 1h, share: 0.25, onStop: false}
                recovery: {storage: log, onDemand: true, images: true, reuseLog: true, objectiveFirst: 2s, objectiveBucket: 50ms}
                archive: {directory: archive, every: 5s, keep: 2d}
                security:
                  certificate: tls/a.crt
                  key: /a.key
                  users: users
                  clientCertificates: {authorities: tls/clients.crt, revocationList: tls/clients.crl, nameUsers: true}
                clients: {largestResult: 64MiB}
                http: {port: 0, enabled: true}
                logging: {format: json, level: WARN}
                """);

        assertThat(read.node().name()).isEqualTo("alpha");
        assertThat(read.data().directory()).isEqualTo(Path.of("/etc/var"));
        assertThat(read.engine())
                .isEqualTo(new NodeConfiguration.Engine(
                        3,
                        2,
                        4096,
                        3L << 29,
                        false,
                        32 << 20,
                        64 << 20,
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(5),
                        Duration.ZERO));
        assertThat(read.schema().scripts()).containsExactly(Path.of("/etc/reprise/a.sql"), Path.of("/b.sql"));
        assertThat(read.schema().jars()).containsExactly(Path.of("/etc/reprise/only.jar"));
        assertThat(read.log().method()).isEqualTo(NodeConfiguration.Method.PHYSIOLOGICAL);
        assertThat(read.log().synchronous()).isFalse();
        assertThat(read.log().segment()).isEqualTo(16 << 20);
        assertThat(read.snapshot().every()).isEqualTo(Duration.ofHours(1));
        assertThat(read.snapshot().share()).isEqualTo(0.25);
        assertThat(read.recovery().onDemand()).isTrue();
        assertThat(read.recovery().images()).isTrue();
        assertThat(read.recovery().storage()).isEqualTo(NodeConfiguration.Storage.LOG);
        assertThat(read.recovery().reuseLog()).isTrue();
        assertThat(read.recovery().objectiveFirst()).isEqualTo(Duration.ofSeconds(2));
        assertThat(read.recovery().objectiveBucket()).isEqualTo(Duration.ofMillis(50));
        assertThat(read.recovery().objective()).isZero();
        assertThat(read.archive().directory().orElseThrow()).isAbsolute().endsWithRaw(Path.of("archive"));
        assertThat(read.archive().every()).isEqualTo(Duration.ofSeconds(5));
        assertThat(read.archive().snapshotEvery()).isEqualTo(Duration.ofHours(1));
        assertThat(read.archive().keep()).isEqualTo(Duration.ofDays(2));
        assertThat(read.security())
                .isEqualTo(new NodeConfiguration.Security(
                        Optional.of(Path.of("/etc/reprise/tls/a.crt")),
                        Optional.of(Path.of("/a.key")),
                        Optional.of(Path.of("/etc/reprise/users")),
                        Optional.of(new NodeConfiguration.ClientCertificates(
                                Path.of("/etc/reprise/tls/clients.crt"),
                                Optional.of(Path.of("/etc/reprise/tls/clients.crl")),
                                true,
                                true))));
        assertThat(read.clients().largestResult()).isEqualTo(64 << 20);
        assertThat(read.logging().level()).isEqualTo(NodeConfiguration.Level.WARN);
    }

    @Test
    void shouldSayWhereAndWhatWasMeantWhenAKeyIsUnknown() {
        assertThatThrownBy(() -> parse("engine:\n  partitions: 2\n  memoryPerPartiton: 1GiB\n"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("node.yaml, line 3, column 3: there is no key 'engine.memoryPerPartiton';"
                        + " did you mean 'engine.memoryPerPartition'?");
        assertThatThrownBy(() -> parse("snapshots: {every: 1s}"))
                .hasMessageContaining("line 1, column 1")
                .hasMessageContaining("did you mean 'snapshot'?");
        assertThatThrownBy(() -> parse("http: {completelyDifferent: 1}"))
                .hasMessageContaining("there are enabled, address, port, allowRemote");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "engine: {partitions: 0}|line 1, column 22|a whole number from 1 to 4096; it is '0'",
                "engine: {partitions: two}|line 1, column 22|a whole number",
                "engine: {memoryPerPartition: 100}|line 1, column 30|a size",
                "engine: {memoryPerPartition: 1 parsec}|line 1, column 30|KiB",
                "engine: {timeLimit: 10}|line 1, column 21|a duration",
                "engine: {timeLimit: -1s}|line 1, column 21|a duration",
                "log: {method: logical}|line 1, column 15|one of command, physiological",
                "log: {synchronous: yes}|line 1, column 20|true or false",
                "log: {synchronous: [true]}|line 1, column 20|a single value",
                "snapshot: {share: 0}|line 1, column 19|above 0",
                "clients: {largestResult: 1GiB}|line 1, column 26|from 1024 to 536870912 bytes",
                "http: {port: 65536}|line 1, column 14|from 0 to 65535",
                "http: {port: }|line 1, column 8|has no value",
                "node: {name: ''}|line 1, column 14|is empty",
                "schema: {scripts: [{a: b}]}|line 1, column 20|a list of files",
                "node: reprise|line 1, column 7|must have keys",
                "[a, b]|line 1, column 1|the file must have keys",
                "log: {segment: 16MiB, segment: 32MiB}|line 1, column 23|twice",
                "log: {segment: 64000001B}|log.segment|a multiple of 4096",
                "log: {segment: 16MiB}|log.largestRecord|at most half",
                "security: {certificate: a.crt}|security.key|the private key",
                "security: {key: a.key}|security.certificate|the certificate",
                "security: {clientCertificates: {required: true}}|security.clientCertificates.authorities|is missing",
                "security: {clientCertificates: {authorities: a}}|security.certificate|in TLS only",
                "security: {certificate: a, key: b, clientCertificates: {authorities: a}}|security.users|what those may do",
                "security: {clientCertificates: {authorities: a, required: false}}|security.clientCertificates.required|good for"
                        + " nothing",
                "{[a]: b}|line 1, column 2|a key must be a word",
            })
    void shouldSayWhereAndWhatCouldStandThereWhenAValueIsWrong(String text, String place, String what) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("node.yaml")
                .hasMessageContaining(place)
                .hasMessageContaining(what);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [", "a: b: c", "\tengine:", "a: *nobody", "--- 1\n--- 2", "\u0000"})
    void shouldRefuseWhenItIsNoYaml(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("node.yaml");
    }

    @Test
    void shouldMakeNoObjectWhenATagNamesAClass() {
        assertThatThrownBy(() -> parse("node: !!javax.script.ScriptEngineManager [!!java.net.URL [\"http://x/\"]]"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("node.yaml");
    }

    @Test
    void shouldSayWhichFileWhenItIsNotThere(@TempDir Path folder) throws IOException {
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4});

        assertThatThrownBy(() -> ConfigurationFile.read(folder.resolve("none.yaml")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("none.yaml");
        assertThatThrownBy(() -> ConfigurationFile.read(latin)).hasMessageContaining("UTF-8");
    }

    @Test
    void shouldReadTheFullSampleAsTheDefaultsWhenNothingIsChangedInIt() {
        NodeConfiguration sample = ConfigurationFile.read(SAMPLES.resolve("node.yaml"));

        assertThat(sample)
                .isEqualTo(NodeConfiguration.defaults(SAMPLES.resolve("data").toAbsolutePath()));
    }

    @Test
    void shouldHaveEveryKeyInTheFullSample() throws IOException {
        List<String> lines = Files.readAllLines(SAMPLES.resolve("node.yaml"));

        assertThat(keys())
                .hasSizeGreaterThan(25)
                .allSatisfy(key ->
                        assertThat(lines).as("the key %s", key).anyMatch(line -> line.matches("[ #]*" + key + ":.*")));
    }

    @Test
    void shouldReadAllSamples() throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLES)) {
            assertThat(files.filter(file -> file.toString().endsWith(".yaml")).toList())
                    .hasSizeGreaterThan(12)
                    .allSatisfy(file -> assertThat(ConfigurationFile.read(file)).isNotNull());
        }
    }

    /** The names of all components of the configuration and of all records within it; the section of a cluster has a sample of its own. */
    private static Stream<String> keys() {
        Stream<Class<?>> sections =
                Arrays.stream(NodeConfiguration.class.getDeclaredClasses()).filter(Class::isRecord);
        return Stream.concat(Stream.of(NodeConfiguration.class), sections)
                .flatMap(section -> Arrays.stream(section.getRecordComponents()))
                .map(component -> component.getName())
                .filter(name -> !name.equals("cluster"));
    }

    private static NodeConfiguration parse(String text) {
        return ConfigurationFile.parse(text, "node.yaml", BASE);
    }

    /** It was taken, and whatever it said made no difference. */
    @Test
    void shouldSayThatThereIsNoWaitingCallsAnyMore() {
        assertThatThrownBy(
                        () -> ConfigurationFile.parse("engine:\n  waitingCalls: 100\n", "node.yaml", Path.of("/etc")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("node.yaml, line 2, column 3: 'engine.waitingCalls' never had an effect")
                .hasMessageEndingWith("leave it out");
    }
}
