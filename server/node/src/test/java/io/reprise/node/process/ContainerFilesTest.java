package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.http.ClusterMetricsSample;
import io.reprise.procedure.ProcedureException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The files in docker/ name scripts, ports, paths and metrics that exist. No image is built by a test. */
final class ContainerFilesTest {
    private static final Path PROJECT = Path.of("..", "..");
    private static final Path DOCKER = PROJECT.resolve("docker");
    private static final Path DASHBOARD = DOCKER.resolve("grafana/dashboards/reprise.json");
    private static final Pattern METRIC = Pattern.compile("\\b(?:reprise|jvm|process)_[a-z0-9_]+");
    private static final Pattern LABEL = Pattern.compile("\\{\\{([a-z]+)}}");
    private static final Pattern GROUPED = Pattern.compile("by \\(([a-z, ]+)\\)");

    @TempDir
    Path folder;

    private static Map<String, Object> yaml(Path file) throws IOException {
        return new Yaml().load(Files.readString(file));
    }

    @SuppressWarnings("unchecked")
    private static <T> T at(Object tree, Object... keys) {
        Object found = tree;
        for (Object key : keys) {
            found = found instanceof List<?> list ? list.get((Integer) key) : ((Map<?, ?>) found).get(key);
            assertThat(found).as(String.valueOf(key)).isNotNull();
        }
        return (T) found;
    }

    private static List<String> found(String pattern, CharSequence in) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(in)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void shouldCopyAndCallWhatThereIsWhenAnImageIsMade() throws IOException {
        String image = Files.readString(DOCKER.resolve("Dockerfile"));
        String packaging = Files.readString(PROJECT.resolve("scripts/package"));
        String version = found("<version>(.*)</version>", Files.readString(PROJECT.resolve("pom.xml")))
                .getFirst();
        NodeConfiguration node = ConfigurationFile.read(PROJECT.resolve("cluster-config/samples/container.yaml"));

        assertThat(found("^ADD (\\S+) /opt/", image)).containsExactly("target/reprise-" + version + ".tar.gz");
        assertThat(image).contains("ln -s /opt/reprise-" + version + " /opt/reprise ");
        assertThat(packaging).contains("name=\"reprise-$version\"", "scripts/packaging/reprise\"", "\"$root/bin/\"");
        for (String copied : found("^COPY (\\S+) ", image)) {
            assertThat(PROJECT.resolve(copied)).exists();
        }
        assertThat(found("^EXPOSE (.*)$", image))
                .containsExactly(node.http().port() + " " + node.clients().port() + " "
                        + node.postgres().port());
        assertThat(found("^VOLUME (.*)$", image))
                .containsExactly(node.data().directory().toString());
        assertThat(image)
                .contains("install -d -o reprise -g reprise -m 0750 "
                        + node.data().directory())
                .contains("--gid 10001 reprise ", "--uid 10001 --gid reprise ", "\nUSER 10001:10001\n")
                .contains("/dev/tcp/127.0.0.1/" + node.http().port())
                // Without a shell in between, so that the JVM gets SIGTERM.
                .contains("\nENTRYPOINT [\"reprise\"]\n");
        assertThat(Files.readString(PROJECT.resolve("scripts/packaging/reprise")))
                .contains("\nexec ");
    }

    @Test
    void shouldConnectTheContainersByWhatEachHas() throws IOException {
        Map<String, Object> compose = yaml(DOCKER.resolve("compose.yaml"));
        Map<String, Object> prometheus = yaml(DOCKER.resolve("prometheus.yaml"));
        NodeConfiguration node = ConfigurationFile.read(PROJECT.resolve("cluster-config/samples/container.yaml"));

        assertThat(PROJECT.resolve(
                        ContainerFilesTest.<String>at(compose, "services", "reprise", "build", "dockerfile")))
                .exists();
        assertThat(ContainerFilesTest.<List<String>>at(compose, "services", "reprise", "ports"))
                .containsExactly(
                        "127.0.0.1:" + node.http().port() + ":" + node.http().port(),
                        "127.0.0.1:" + node.clients().port() + ":"
                                + node.clients().port(),
                        "127.0.0.1:" + node.postgres().port() + ":"
                                + node.postgres().port());
        List<String> mounts = new ArrayList<>();
        for (String service : List.of("reprise", "prometheus", "grafana")) {
            mounts.addAll(at(compose, "services", service, "volumes"));
        }
        Set<String> volumes = ContainerFilesTest.<Map<String, Object>>at(Map.of("all", compose), "all", "volumes")
                .keySet();
        for (String mount : mounts) {
            String source = mount.substring(0, mount.indexOf(':'));
            if (source.startsWith(".")) {
                assertThat(DOCKER.resolve(source)).exists();
            } else {
                assertThat(volumes).contains(source);
            }
        }
        assertThat(mounts).contains("reprise-data:" + node.data().directory());
        Map<String, Object> job = at(prometheus, "scrape_configs", 0);
        // Without a path Prometheus asks for /metrics.
        assertThat(job).doesNotContainKey("metrics_path");
        assertThat(ContainerFilesTest.<List<String>>at(job, "static_configs", 0, "targets"))
                .containsExactly("reprise:" + node.http().port());
        assertThat(ContainerFilesTest.<String>at(
                        yaml(DOCKER.resolve("grafana/provisioning/datasources/prometheus.yaml")),
                        "datasources",
                        0,
                        "uid"))
                .isEqualTo("prometheus");
        String dashboards = at(
                yaml(DOCKER.resolve("grafana/provisioning/dashboards/reprise.yaml")),
                "providers",
                0,
                "options",
                "path");
        assertThat(mounts).contains("./grafana/dashboards:" + dashboards + ":ro");
    }

    @Test
    void shouldRunAChartOfTheSameImageWithAValidConfiguration() throws IOException {
        Path chart = DOCKER.resolve("helm/reprise");
        Map<String, Object> values = yaml(chart.resolve("values.yaml"));
        NodeConfiguration node = ConfigurationFile.parse(
                new Yaml().dump(ContainerFilesTest.<Object>at(values, "configuration")), "values.yaml", folder);
        String set = Files.readString(chart.resolve("templates/statefulset.yaml"));
        String service = Files.readString(chart.resolve("templates/service.yaml"));
        Map<String, Object> named = yaml(chart.resolve("Chart.yaml"));
        String version = found("<version>(.*)</version>", Files.readString(PROJECT.resolve("pom.xml")))
                .getFirst();

        assertThat(named).containsEntry("version", version).containsEntry("appVersion", version);
        for (int port : new int[] {
            node.http().port(), node.clients().port(), node.postgres().port()
        }) {
            assertThat(set).contains("containerPort: " + port + "\n");
            assertThat(service).contains("port: " + port + "\n");
        }
        assertThat(set)
                .contains("mountPath: " + node.data().directory() + "\n")
                .contains("runAsUser: 10001\n", "path: /ready\n", "path: /health\n");
        int used = 0;
        for (String template : List.of("statefulset.yaml", "service.yaml", "configmap.yaml")) {
            String text = Files.readString(chart.resolve("templates").resolve(template));
            for (String value : found("\\.Values\\.([A-Za-z.]+)", text)) {
                at(values, (Object[]) value.split("\\."));
                used++;
            }
        }
        assertThat(used).isGreaterThan(15);
    }

    @Test
    void shouldConnectTheContainersOfAClusterByWhatEachHas() throws IOException {
        Map<String, Object> compose = yaml(DOCKER.resolve("compose.cluster.yaml"));
        Map<String, Object> prometheus = yaml(DOCKER.resolve("prometheus.cluster.yaml"));
        List<String> published = at(compose, "services", "zookeeper", "ports");
        List<String> targets = at(prometheus, "scrape_configs", 0, "static_configs", 0, "targets");
        Set<Integer> ports = new TreeSet<>();

        for (int i = 0; i < 3; i++) {
            List<String> mounts = at(compose, "services", "node-" + i, "volumes");
            String sample = mounts.getFirst().substring(0, mounts.getFirst().indexOf(':'));
            NodeConfiguration node =
                    ConfigurationFile.read(DOCKER.resolve(sample).normalize());
            List<String> command = at(compose, "services", "node-" + i, "command");
            List<String> check = at(compose, "services", "node-" + i, "healthcheck", "test");

            assertThat(ContainerFilesTest.<String>at(compose, "services", "node-" + i, "network_mode"))
                    .isEqualTo("service:zookeeper");
            assertThat(mounts.getFirst()).endsWith(command.getLast() + ":ro");
            assertThat(mounts).contains("node-" + i + "-data:" + node.data().directory());
            assertThat(node.cluster().orElseThrow().node()).hasValue(i);
            assertThat(targets).contains("zookeeper:" + node.http().port());
            assertThat(check.getLast())
                    .contains("/dev/tcp/127.0.0.1/" + node.http().port() + " ");
            for (int port : new int[] {node.http().port(), node.clients().port()}) {
                assertThat(published).contains("127.0.0.1:" + port + ":" + port);
            }
            ports.addAll(List.of(
                    node.http().port(),
                    node.clients().port(),
                    node.cluster().orElseThrow().peer().port()));
        }
        assertThat(ports).hasSize(9);
    }

    @Test
    void shouldAskInEachPanelForMetricsAndLabelsThatANodeHas() throws Exception {
        String metrics = metrics();

        int asked = 0;
        for (JsonNode panel :
                new ObjectMapper().readTree(Files.readString(DASHBOARD)).get("panels")) {
            String title = panel.get("title").asText();
            if (panel.get("type").asText().equals("row")) {
                continue;
            }
            assertThat(panel.at("/datasource/uid").asText()).as(title).isEqualTo("prometheus");
            assertThat(panel.get("targets")).as(title).isNotEmpty();
            for (JsonNode target : panel.get("targets")) {
                String query = target.get("expr").asText();
                Set<String> names = new TreeSet<>();
                METRIC.matcher(query).results().map(MatchResult::group).forEach(names::add);
                assertThat(names).as(title).isNotEmpty();
                names.forEach(name -> assertThat(metrics).as(title).containsPattern("(?m)^" + name + "[{ ]"));
                Set<String> labels = new TreeSet<>(
                        found(LABEL.pattern(), target.get("legendFormat").asText()));
                found(GROUPED.pattern(), query).forEach(group -> labels.addAll(List.of(group.split(", "))));
                // Prometheus adds the label of the instance.
                labels.remove("instance");
                for (String label : labels) {
                    assertThat(metrics)
                            .as("%s: %s", title, label)
                            .containsPattern("(?m)^(" + String.join("|", names) + ")\\{[^}]*\\b" + label + "=\"");
                }
                asked++;
            }
        }
        assertThat(asked).isGreaterThan(20);
    }

    @Test
    void shouldAlertByMetricsAndLabelsThatANodeHas() throws Exception {
        String metrics = metrics();
        List<Map<String, Object>> rules =
                new ArrayList<>(at(yaml(DOCKER.resolve("alerts.yaml")), "groups", 0, "rules"));
        rules.addAll(at(yaml(DOCKER.resolve("alerts.yaml")), "groups", 1, "rules"));
        List<String> files = at(yaml(DOCKER.resolve("prometheus.yaml")), "rule_files");
        List<String> mounts = at(yaml(DOCKER.resolve("compose.yaml")), "services", "prometheus", "volumes");

        assertThat(mounts).contains("./alerts.yaml:" + files.getFirst() + ":ro");
        assertThat(rules).extracting(rule -> rule.get("alert")).contains("RepriseMemoryFull", "RepriseNotReady");
        for (Map<String, Object> rule : rules) {
            List<String> names = METRIC.matcher((String) rule.get("expr"))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(names).as("%s", rule).isNotEmpty();
            names.forEach(name -> assertThat(metrics).as("%s", rule).containsPattern("(?m)^" + name + "[{ ]"));
            for (String label : found("\\$labels\\.([a-z]+)", at(rule, "annotations", "summary"))) {
                if (!label.equals("instance")) {
                    assertThat(metrics)
                            .as("%s", rule)
                            .containsPattern("(?m)^(" + String.join("|", names) + ")\\{[^}]*\\b" + label + "=\"");
                }
            }
        }
    }

    /** Of a node that has done a little of everything; for what only a recovery or a cluster has, a sample is made up. */
    private String metrics() throws Exception {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE t ON COLUMN id;"
                        + " CREATE PROCEDURE Add PARTITION ON TABLE t COLUMN id AS INSERT INTO t VALUES (?)");
        try (NodeProcess node = NodeProcess.start(ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 2, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0}
                """, "test", folder))) {
            node.engine().call("Add", 1);
            assertThatThrownBy(() -> node.engine().call("Add", 1, 2)).isInstanceOf(ProcedureException.class);
            node.engine().snapshot();
            try (HttpClient http = HttpClient.newHttpClient()) {
                URI address = URI.create(node.url().orElseThrow() + "/metrics");
                return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                                .body()
                        + "\nreprise_recovery_progress_ratio{phase=\"loading\"} 0.5\n"
                        + ClusterMetricsSample.text();
            }
        }
    }
}
