package io.reprise.configuration;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a node's configuration. Every key has a default; a key that there isn't is refused. */
public final class ConfigurationFile {
    private static final String DATA = "data";
    private static final String NEEDS_ON_DEMAND =
            "is about recovery on demand; set recovery.onDemand or recovery.storage: log, or leave it out";
    private static final int LEAST_SEGMENT = 1 << 20;
    private static final int MOST_SEGMENT = 1 << 30;
    private static final int BLOCK = 4096;
    private static final long LEAST_WORK_MEMORY = 1 << 20;
    private static final long MOST_WORK_MEMORY = 8L << 30;
    private static final int LEAST_RESULT = 1 << 10;
    private static final int MOST_RESULT = 1 << 29;

    private ConfigurationFile() {}

    /** Reads a file. Relative paths in it are meant from its folder on. */
    public static NodeConfiguration read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException("there is no configuration file " + file, e);
        } catch (CharacterCodingException e) {
            throw new ConfigurationException("the configuration file " + file + " is not in UTF-8", e);
        } catch (AccessDeniedException e) {
            throw new ConfigurationException(
                    "this user may not read the configuration file " + file
                            + "; run this as the node's user, or as root",
                    e);
        } catch (IOException e) {
            throw new ConfigurationException("can't read the configuration file " + file + ": " + e.getMessage(), e);
        }
        Path folder = file.toAbsolutePath().getParent();
        return parse(text, file.toString(), folder);
    }

    /**
     * Reads a text.
     *
     * @param source its name in messages
     * @param base the base of relative paths
     */
    public static NodeConfiguration parse(String text, String source, Path base) {
        Section file = new Section(source, "", compose(text, source));
        NodeConfiguration defaults = NodeConfiguration.defaults(base.resolve(DATA));
        NodeConfiguration.Data data = data(file.section("data"), defaults.data(), base);
        Optional<ClusterSection> cluster = ClusterSection.read(file.section("cluster"), base, data.directory());
        NodeConfiguration configuration = new NodeConfiguration(
                node(file.section("node"), defaults.node(), cluster),
                cluster,
                data,
                engine(file.section("engine"), defaults.engine(), cluster),
                schema(file.section("schema"), base),
                log(file.section("log"), defaults.log()),
                snapshot(file.section("snapshot"), defaults.snapshot()),
                recovery(file.section("recovery"), defaults.recovery()),
                archive(file.section("archive"), defaults.archive(), base),
                security(file.section("security"), base),
                clients(file.section("clients"), defaults.clients()),
                postgres(file.section("postgres"), defaults.postgres()),
                http(file.section("http"), defaults.http()),
                tracing(file.section("tracing")),
                logging(file.section("logging"), defaults.logging()));
        if (configuration.postgres().enabled() && !configuration.clients().enabled()) {
            throw file.section("postgres").wrongValue("enabled", "needs 'clients.enabled'");
        }
        file.end();
        checkCluster(configuration, file);
        return configuration;
    }

    /** A cluster's node has fixed ports, and a log that waits for the disk. */
    private static void checkCluster(NodeConfiguration read, Section file) {
        if (read.cluster().isEmpty()) {
            return;
        }
        if (!read.log().synchronous()) {
            throw file.wrongValue(
                    "log.synchronous",
                    "is false; a node of a cluster forces its log. Set cluster.acknowledge: replicated for answers that"
                            + " do not wait for the disk");
        }
        if (read.clients().enabled() && read.clients().port() == 0) {
            throw file.wrongValue(
                    "clients.port", "is 0; other nodes and clients must find a node of a cluster at a fixed port");
        }
    }

    /** Only the tree with its places is made: no tag in a file can name a class. */
    private static Node compose(String text, String source) {
        try {
            LoaderOptions options = new LoaderOptions();
            options.setMaxAliasesForCollections(10);
            return new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            String place = mark == null ? "" : ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
            throw new ConfigurationException(source + place + ": this is no YAML: " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new ConfigurationException(source + ": this is no YAML: " + e.getMessage(), e);
        }
    }

    private static NodeConfiguration.Node node(
            Section section, NodeConfiguration.Node defaults, Optional<ClusterSection> cluster) {
        String usual = cluster.filter(in -> in.node().isPresent())
                .map(in -> in.name() + "-" + in.node().getAsInt())
                .orElse(defaults.name());
        String name = section.text("name", usual);
        section.end();
        return new NodeConfiguration.Node(name);
    }

    private static NodeConfiguration.Data data(Section section, NodeConfiguration.Data defaults, Path base) {
        Path directory = section.path("directory", defaults.directory(), base);
        section.end();
        return new NodeConfiguration.Data(directory);
    }

    private static NodeConfiguration.Engine engine(
            Section section, NodeConfiguration.Engine defaults, Optional<ClusterSection> cluster) {
        if (cluster.isPresent()) {
            section.refuse(
                    "partitions",
                    "is for a node that serves alone; the number of a cluster's partitions is 'cluster.partitions'");
        }
        int partitions = cluster.map(ClusterSection::partitions)
                .orElseGet(() ->
                        section.integer("partitions", defaults.partitions(), 1, NodeConfiguration.MOST_PARTITIONS));
        // Each node has a slot for each of the cluster's partitions, and may have fewer processors.
        int sites = cluster.isPresent() ? Math.min(partitions, defaults.partitions()) : defaults.sites();
        NodeConfiguration.Engine engine = new NodeConfiguration.Engine(
                partitions,
                section.integer("sites", sites, 1, NodeConfiguration.MOST_PARTITIONS),
                section.powerOfTwo("buckets", defaults.buckets(), 1 << 6, NodeConfiguration.MOST_BUCKETS),
                section.size("memoryPerPartition", defaults.memoryPerPartition(), 1 << 20, 4L << 40),
                section.flag("reservedHugePages", defaults.reservedHugePages()),
                section.size("workMemory", defaults.workMemory(), LEAST_WORK_MEMORY, MOST_WORK_MEMORY),
                section.size("heapPerTransaction", defaults.heapPerTransaction(), LEAST_WORK_MEMORY, 1L << 40),
                section.duration("timeLimit", defaults.timeLimit()),
                section.duration("planningLimit", defaults.planningLimit()),
                section.duration("slowAfter", defaults.slowAfter()));
        section.refuse(
                "waitingCalls",
                "never had an effect in a node, and there is no such key any more: how many calls of clients may wait is fixed,"
                        + " and clients keep it low by themselves; leave it out");
        section.end();
        return engine;
    }

    private static NodeConfiguration.Schema schema(Section section, Path base) {
        NodeConfiguration.Schema schema =
                new NodeConfiguration.Schema(section.paths("scripts", base), section.paths("jars", base));
        section.end();
        return schema;
    }

    private static NodeConfiguration.Log log(Section section, NodeConfiguration.Log defaults) {
        NodeConfiguration.Log log = new NodeConfiguration.Log(
                section.choice("method", defaults.method()),
                section.flag("synchronous", defaults.synchronous()),
                section.duration("forceEvery", defaults.forceEvery()),
                section.duration("maxDelay", defaults.maxDelay()),
                section.size("segment", defaults.segment(), LEAST_SEGMENT, MOST_SEGMENT),
                section.size("largestRecord", defaults.largestRecord(), BLOCK, MOST_SEGMENT),
                section.choice("compression", defaults.compression()),
                section.flag("keep", defaults.keep()),
                section.flag("footprints", defaults.footprints()),
                section.size("budget", defaults.budget(), BLOCK, 1L << 40),
                section.choice("replay", defaults.replay()));
        if (log.segment() % BLOCK != 0) {
            throw section.wrongValue("segment", "must be a multiple of " + BLOCK + " bytes; it is " + log.segment());
        }
        if (log.largestRecord() > log.segment() / 2) {
            throw section.wrongValue(
                    "largestRecord",
                    "must be at most half of 'log.segment', " + log.segment() + " bytes; it is " + log.largestRecord());
        }
        section.end();
        return log;
    }

    private static NodeConfiguration.Snapshot snapshot(Section section, NodeConfiguration.Snapshot defaults) {
        NodeConfiguration.Snapshot snapshot = new NodeConfiguration.Snapshot(
                section.duration("every", defaults.every()),
                section.size("afterLog", defaults.afterLog(), 0, Long.MAX_VALUE),
                section.integer("keep", defaults.keep(), 1, 1000),
                section.flag("onStop", defaults.onStop()),
                section.share("share", defaults.share()),
                section.choice("method", defaults.method()));
        section.end();
        return snapshot;
    }

    private static NodeConfiguration.Recovery recovery(Section section, NodeConfiguration.Recovery defaults) {
        NodeConfiguration.Recovery recovery = new NodeConfiguration.Recovery(
                section.choice("storage", defaults.storage()),
                section.flag("onDemand", defaults.onDemand()),
                section.flag("images", defaults.images()),
                section.flag("reuseLog", defaults.reuseLog()),
                section.duration("objective", defaults.objective()),
                section.duration("objectiveFirst", defaults.objectiveFirst()),
                section.duration("objectiveBucket", defaults.objectiveBucket()),
                section.choice("enforce", defaults.enforce()));
        if (!recovery.loadsOnDemand() && recovery.objectiveFirst().isPositive()) {
            throw section.wrongValue("objectiveFirst", NEEDS_ON_DEMAND);
        }
        if (!recovery.loadsOnDemand() && recovery.objectiveBucket().isPositive()) {
            throw section.wrongValue("objectiveBucket", NEEDS_ON_DEMAND);
        }
        section.end();
        return recovery;
    }

    private static NodeConfiguration.Archive archive(Section section, NodeConfiguration.Archive defaults, Path base) {
        NodeConfiguration.Archive archive = new NodeConfiguration.Archive(
                section.file("directory", base),
                section.duration("every", defaults.every()),
                section.duration("snapshotEvery", defaults.snapshotEvery()),
                section.duration("keep", defaults.keep()),
                section.flag("restore", defaults.restore()));
        section.end();
        return archive;
    }

    private static NodeConfiguration.Security security(Section section, Path base) {
        NodeConfiguration.Security security = new NodeConfiguration.Security(
                section.file("certificate", base),
                section.file("key", base),
                section.file("users", base),
                clientCertificates(section.section("clientCertificates"), base));
        if (security.certificate().isPresent() && security.key().isEmpty()) {
            throw section.wrongValue("key", "is missing; TLS needs the private key of 'security.certificate'");
        }
        if (security.key().isPresent() && security.certificate().isEmpty()) {
            throw section.wrongValue("certificate", "is missing; TLS needs the certificate of 'security.key'");
        }
        if (security.clientCertificates().isPresent()) {
            if (security.certificate().isEmpty()) {
                throw section.wrongValue("certificate", "is missing; clients show certificates in TLS only");
            }
            if (security.users().isEmpty()) {
                throw section.wrongValue("users", "is missing; it says what those may do who show certificates");
            }
        }
        section.end();
        return security;
    }

    private static Optional<NodeConfiguration.ClientCertificates> clientCertificates(Section section, Path base) {
        if (section.isEmpty()) {
            return Optional.empty();
        }
        Path authorities = section.file("authorities", base)
                .orElseThrow(() -> section.wrongValue(
                        "authorities", "is missing; it is the file with the certificates that vouch for clients"));
        Optional<Path> revocationList = section.file("revocationList", base);
        boolean required = section.flag("required", true);
        boolean nameUsers = section.flag("nameUsers", false);
        if (!required && !nameUsers) {
            throw section.wrongValue(
                    "required", "and 'nameUsers' are both false: then a certificate would be good for nothing");
        }
        section.end();
        return Optional.of(new NodeConfiguration.ClientCertificates(authorities, revocationList, required, nameUsers));
    }

    private static NodeConfiguration.Clients clients(Section section, NodeConfiguration.Clients defaults) {
        NodeConfiguration.Clients clients = new NodeConfiguration.Clients(
                section.flag("enabled", defaults.enabled()),
                section.text("address", defaults.address()),
                section.integer("port", defaults.port(), 0, 65_535),
                section.flag("allowRemote", defaults.allowRemote()),
                section.integer("connections", defaults.connections(), 1, 1_000_000),
                section.size("largestResult", defaults.largestResult(), LEAST_RESULT, MOST_RESULT));
        section.end();
        return clients;
    }

    private static NodeConfiguration.Postgres postgres(Section section, NodeConfiguration.Postgres defaults) {
        NodeConfiguration.Postgres postgres = new NodeConfiguration.Postgres(
                section.flag("enabled", defaults.enabled()),
                section.text("address", defaults.address()),
                section.integer("port", defaults.port(), 0, 65_535),
                section.flag("allowRemote", defaults.allowRemote()));
        section.end();
        return postgres;
    }

    private static NodeConfiguration.Http http(Section section, NodeConfiguration.Http defaults) {
        NodeConfiguration.Http http = new NodeConfiguration.Http(
                section.flag("enabled", defaults.enabled()),
                section.text("address", defaults.address()),
                section.integer("port", defaults.port(), 0, 65_535),
                section.flag("allowRemote", defaults.allowRemote()));
        section.end();
        return http;
    }

    private static NodeConfiguration.Tracing tracing(Section section) {
        String endpoint = section.text("endpoint", "");
        if (!endpoint.isEmpty() && !endpoint.matches("https?://[^/\\s]+(/\\S*)?")) {
            throw section.wrongValue("endpoint", "must be a URL, such as http://127.0.0.1:4318/v1/traces");
        }
        section.end();
        return new NodeConfiguration.Tracing(Optional.of(endpoint).filter(url -> !url.isEmpty()));
    }

    private static NodeConfiguration.Logging logging(Section section, NodeConfiguration.Logging defaults) {
        NodeConfiguration.Logging logging = new NodeConfiguration.Logging(
                section.choice("format", defaults.format()), section.choice("level", defaults.level()));
        section.end();
        return logging;
    }
}
