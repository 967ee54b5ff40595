package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.access.Protection;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.engine.RecoveryProgress;
import io.reprise.node.process.NodeProcess;
import io.reprise.node.process.RunFile;
import io.reprise.procedure.ProcedureException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The node's page in a browser, as an operator meets it. */
final class PageTest {
    private static final int CONTROL = 2;
    private static final int ENTER = 13;
    private static final int TAB = 9;
    private static final long SHOWN = 1000;

    @TempDir
    static Path folder;

    private static final String[] VIEWS = {
        "overview", "partitions", "procedures", "statements", "sessions", "storage", "cluster", "schema", "sql"
    };

    private static NodeProcess node;
    private static Browser browser;
    private static final AtomicBoolean ending = new AtomicBoolean();
    private static Thread callers;

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> program = Browser.find();
        if (program.isEmpty()) {
            String how = "there is no Chromium on the PATH; on Debian: apt-get install chromium";
            if ("true".equals(System.getenv("CI"))) {
                throw new IllegalStateException(how);
            }
            Assumptions.abort(how);
        }
        Files.writeString(folder.resolve("schema.sql"), """
                CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(80), balance DECIMAL(10,2) DEFAULT 0);
                PARTITION TABLE account ON COLUMN id;
                CREATE INDEX account_name ON account (name);
                CREATE TABLE rate (name VARCHAR(10) NOT NULL PRIMARY KEY, pct BIGINT);
                CREATE PROCEDURE Put PARTITION ON TABLE account COLUMN id PARAMETER 0
                  AS UPSERT INTO account VALUES (?, ?, 1.50);
                CREATE PROCEDURE Add PARTITION ON TABLE account COLUMN id PARAMETER 0
                  AS INSERT INTO account (id) VALUES (?);
                CREATE PROCEDURE Find PARTITION ON TABLE account COLUMN id PARAMETER 0
                  AS SELECT * FROM account WHERE id = ?;
                """);
        node = NodeProcess.start(ConfigurationFile.parse("""
                node: {name: till}
                engine: {partitions: 2, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                http: {port: 0}
                clients: {port: 0}
                postgres: {enabled: true, port: 0}
                """, "test", folder));
        for (int i = 0; i < 2 * SHOWN; i++) {
            node.engine().call("Put", i, "name " + i);
        }
        callers = Thread.ofPlatform().start(PageTest::call);
        browser = Browser.start(program.get(), Files.createDirectory(folder.resolve("profile")));
    }

    /** One account in two calls, so that its bucket is hot; one call in ten fails. */
    private static void call() {
        for (int i = 0; !ending.get(); i++) {
            int id = (int) (i % (2 * SHOWN));
            node.engine().call("Find", i % 2 == 0 ? 17 : id);
            if (i % 10 == 0) {
                node.engine().call("Put", id, "again " + id);
                try {
                    node.engine().call("Add", id);
                } catch (ProcedureException e) {
                    assertThat(e).hasMessageContaining("ACCOUNT");
                }
            }
        }
    }

    @AfterAll
    static void end() throws Exception {
        ending.set(true);
        if (browser != null) {
            browser.close();
        }
        if (callers != null) {
            callers.join();
        }
        if (node != null) {
            node.close();
        }
    }

    @BeforeEach
    void open() {
        browser.prefer("light");
        browser.resize(1280, 900);
        browser.open(node.url().orElseThrow() + "/");
        browser.until("document.body.dataset.state === 'serving'");
        // A tab keeps the token that an earlier test has typed.
        browser.evaluate("sessionStorage.clear()");
        browser.evaluate("document.getElementById('token').value = ''");
    }

    private void view(String name) {
        browser.evaluate("location.hash = '" + name + "'");
        browser.until("document.body.dataset.view === '" + name + "'");
    }

    @AfterEach
    void shouldNeverComplainOrAskForAnythingElsewhere() {
        String own = node.url().orElseThrow() + "/";
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests())
                .isNotEmpty()
                .allMatch(url -> url.startsWith(own) || url.startsWith("data:") || url.startsWith(another));
    }

    /** The address of a second server, where a test has one. */
    private String another = "data:";

    @Test
    void shouldShowFiguresThatMoveWhileCallsAreMade() throws Exception {
        browser.until("document.querySelectorAll('#chart-throughput polyline').length === 2");
        browser.until("Number(document.getElementById('tps').innerText.replaceAll(',', '')) > 10");
        browser.until("Number(document.getElementById('failures').innerText.replaceAll(',', '')) > 0");
        browser.until(
                "document.querySelector('#chart-latency polyline')?.getAttribute('points').split(' ').length > 3");
        String before = browser.text("facts");
        String callsBefore = browser.text("procedures");

        browser.until("document.getElementById('facts').innerText !== " + quoted(before));
        browser.until("document.getElementById('procedures').innerText !== " + quoted(callsBefore));

        assertThat(browser.text("phase")).isEqualTo("ready");
        assertThat(browser.text("node")).startsWith("till, version");
        assertThat(browser.text("procedures")).contains("FIND", "PUT", "ADD");
        // In a second in which nothing was called all are alike.
        browser.until("document.querySelector('#procedures tbody tr td').innerText === 'FIND'");
        assertThat(browser.evaluate("document.querySelectorAll('#partitions tbody tr').length"))
                .isEqualTo("2");
        assertThat(browser.text("facts")).contains("written", "flush p50 / p99", "snapshots");
        assertThat(browser.text("rows")).isEqualTo("2,000");
        browser.photograph("light");
    }

    @Test
    void shouldNameTheBucketThatIsHot() {
        int bucket = io.reprise.id.Buckets.DEFAULT.of(17);
        view("partitions");

        browser.until("/\\b" + bucket + ": \\d+%/.test(document.getElementById('partitions').innerText)");
        browser.until("document.getElementById('buckets').ariaLabel.includes('the hottest has')");
    }

    @Test
    void shouldShowASnapshotWhenOneHasBeenMade() {
        int before = (int)
                node.engine().durabilityStats().orElseThrow().snapshots().now().completed();

        node.engine().snapshot();

        browser.until("document.getElementById('facts').innerText.includes('" + (before + 1) + " made')");
        assertThat(browser.text("facts")).contains("2,000 rows");
    }

    @Test
    void shouldShowTheExpectedTimeOfARecovery() {
        browser.until("document.getElementById('facts').textContent.includes('a recovery now would take')");

        assertThat(browser.text("facts"))
                .containsPattern(
                        "a recovery now would take\\s*[0-9.]+ s: .* rows, .* commands, .* data records, .* of log");
    }

    @Test
    void shouldRunWhatIsTypedByTheKeyboardAlone() throws Exception {
        view("sql");
        tabTo("token");
        browser.type(token());
        tabTo("sql");
        browser.type("SELECT id, name AS n, NULL AS nothing FROM account WHERE id = 3");
        browser.press("Enter", ENTER, CONTROL);

        browser.until("document.querySelector('#answer td')");
        assertThat(browser.text("answer")).startsWith("1 row in").contains("NOTHING", "NULL");
        assertThat(browser.evaluate("document.querySelector('#answer td').innerText"))
                .isEqualTo("3");
    }

    @Test
    void shouldShowWhereAStatementIsWrong() throws Exception {
        run("SELECT id,\n  nothing FROM account", "run");

        browser.until("document.querySelector('#answer .problem')");
        assertThat(browser.text("answer")).contains("invalid_request", "line 2, column 3", "NOTHING");
        assertThat(browser.evaluate("document.querySelector('#answer pre').innerText"))
                .isEqualTo("  nothing FROM account\n  ^");
        assertThat(selected()).isEqualTo("nothing");

        run("SELECT nothing FROM account", "explain");

        browser.until("document.querySelector('#answer pre') && document.querySelector('#answer pre').innerText"
                + ".startsWith('SELECT nothing')");
        assertThat(selected()).isEqualTo("nothing");
        browser.photograph("problem");
    }

    @Test
    void shouldSayWhatIsMissingWhenTheTokenIs() {
        browser.evaluate("document.getElementById('sql').value = 'DELETE FROM account'");
        browser.evaluate("document.getElementById('run').click()");

        browser.until("document.querySelector('#answer .problem')");
        assertThat(browser.text("answer")).contains("token", ".node");
        assertThat(node.engine().sql("SELECT COUNT(*) FROM account").rows().count())
                .isEqualTo(1);
        // Chromium notes that a request was refused.
        assertThat(browser.complaints()).hasSize(1).allMatch(complaint -> complaint.contains("403"));
        browser.complaints().clear();
    }

    @Test
    void shouldShowAPlanWhenAskedToExplain() throws Exception {
        run("SELECT * FROM account WHERE id = 3", "explain");

        browser.until("document.querySelector('#answer pre')");
        assertThat(browser.text("answer")).contains("ACCOUNT");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldSaySoWhenNotAllRowsAreShown() throws Exception {
        run("SELECT * FROM account", "run");

        browser.until("document.querySelector('#answer td')");
        assertThat(browser.text("answer")).contains("2,000 rows", "Only the first 1,000 of 2,000");
        assertThat(browser.evaluate("document.querySelectorAll('#answer tbody tr').length"))
                .isEqualTo(String.valueOf(SHOWN));
        browser.photograph("rows");
    }

    @Test
    void shouldShowWhatRowsHoldAsText() throws Exception {
        node.engine().call("Put", 5000, "<img src=x onerror=alert(1)>");
        try {
            run("SELECT name FROM account WHERE id = 5000", "run");

            browser.until("document.querySelector('#answer td')");
            assertThat(browser.text("answer")).contains("<img src=x onerror=alert(1)>");
            assertThat(browser.evaluate("document.querySelectorAll('#answer img').length"))
                    .isEqualTo("0");
        } finally {
            node.engine().sql("DELETE FROM account WHERE id = 5000");
        }
    }

    @Test
    void shouldListTheSchemaAndFollowItsChanges() throws Exception {
        browser.until("document.querySelectorAll('#tables details').length === 2");
        view("schema");
        browser.evaluate("document.querySelectorAll('#schema details').forEach((d) => { d.open = true; })");

        assertThat(browser.text("tables"))
                .contains(
                        "partitioned on ID",
                        "replicated",
                        "DECIMAL(10,2)",
                        "ACCOUNT_NAME (NAME), ordered",
                        "2,000 rows");
        assertThat(browser.text("deployed")).contains("FIND", "one bucket", "reads only", "SELECT * FROM account");
        browser.until("/\\/s/.test(document.getElementById('deployed').innerText)");
        browser.photograph("schema");

        node.engine().ddl("CREATE TABLE later (id BIGINT NOT NULL PRIMARY KEY)");
        try {
            browser.until("document.querySelectorAll('#tables details').length === 3");
            assertThat(browser.evaluate("document.querySelector('#tables details').open"))
                    .isEqualTo("true");
            browser.evaluate("document.getElementById('filter').value = 'pct';"
                    + " document.getElementById('filter').dispatchEvent(new Event('input'))");
            assertThat(browser.evaluate("document.querySelectorAll('#schema details:not([hidden])').length"))
                    .isEqualTo("1");
        } finally {
            node.engine().ddl("DROP TABLE later");
        }
    }

    @Test
    void shouldBeReadableInLightAndInDark() throws Exception {
        run("SELECT nothing FROM account", "run");
        browser.until("document.querySelector('#answer .problem')");
        for (String scheme : new String[] {"light", "dark"}) {
            browser.prefer(scheme);

            assertThat(browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"))
                    .isEqualTo(String.valueOf(scheme.equals("dark")));
            for (String view : VIEWS) {
                view(view);
                assertThat(browser.evaluate(CONTRASTS)).as(scheme + " " + view).isEmpty();
                browser.photograph(view + "-" + scheme);
            }
        }
    }

    /** Texts whose contrast with what is behind them is below 4.5, as the WCAG asks for at level AA. */
    private static final String CONTRASTS = """
            (() => {
              const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
              const light = (c) => { const v = c / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
              const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
              const behind = (element) => {
                const own = channels(getComputedStyle(element).backgroundColor);
                if (own.length === 3 || own[3] === 1) return own.slice(0, 3);
                const under = behind(element.parentElement);
                return under.map((c, i) => c + (own[i] - c) * own[3]);
              };
              return [...document.querySelectorAll('body *')]
                .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
                .map((e) => {
                  const a = luminance(channels(getComputedStyle(e).color)), b = luminance(behind(e));
                  return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.tagName + ' ' + e.textContent.slice(0, 30)];
                })
                .filter(([ratio]) => ratio < 4.5).map(([ratio, what]) => ratio.toFixed(1) + ' ' + what).join('; ');
            })()""";

    @Test
    void shouldFitWhenTheWindowIsNarrow() throws Exception {
        run("SELECT * FROM account", "run");
        browser.until("document.querySelector('#answer td')");
        for (int width : new int[] {1280, 700, 420, 360}) {
            browser.resize(width, 800);
            for (String view : VIEWS) {
                view(view);
                assertThat(Integer.parseInt(browser.evaluate("document.documentElement.scrollWidth")))
                        .as("%s at %d", view, width)
                        .isLessThanOrEqualTo(width);
                if (width == 420) {
                    browser.photograph(view + "-" + width);
                }
            }
        }
    }

    @Test
    void shouldShowARecoveryWhileItGoesOnAndWhyAnEngineHasFailed() throws Exception {
        NodeState state = new NodeState("till", "1");
        try (HttpEndpoint endpoint = HttpEndpoint.open(
                new HttpEndpoint.Settings("127.0.0.1", 0, Protection.NONE, 16 << 20), state, () -> "", "token")) {
            another = endpoint.url();
            browser.open(endpoint.url() + "/");
            browser.until("document.getElementById('recovery-text').innerText.includes('starting')");

            state.recovering(
                    new RecoveryProgress(RecoveryProgress.Phase.REPLAYING, 0.42, 123_456, Duration.ofSeconds(90)));

            browser.until("document.getElementById('recovery-text').innerText.includes('42%')");
            assertThat(browser.text("recovery-text")).contains("123,456 transactions a second", "90 s left");
            assertThat(browser.evaluate("document.getElementById('recovery-bar').value"))
                    .isEqualTo("0.42");
            assertThat(browser.text("phase")).isEqualTo("recovering");
            assertThat(browser.evaluate("document.getElementById('tps').checkVisibility()"))
                    .isEqualTo("false");
            browser.photograph("recovery");

            state.serving(node.engine());

            browser.until("document.getElementById('tps').checkVisibility()");
            state.failed("the log can't be forced");
            browser.until("document.getElementById('problem').innerText.includes('can\\'t be forced')");
            assertThat(browser.complaints()).isEmpty();
        }
        browser.until("document.getElementById('phase').innerText === 'no answer'");
        browser.complaints().clear();
    }

    @Test
    void shouldDrawTheHistogramOfTheChosenProcedure() throws Exception {
        view("procedures");
        browser.until("document.querySelector('[data-procedure=FIND]')");

        browser.evaluate("document.querySelector('[data-procedure=FIND]').click()");

        browser.until("document.querySelectorAll('#bars .bar').length > 1");
        assertThat(browser.text("histogram-name")).isEqualTo("FIND");
        browser.until("/calls; p50 .* longest/.test(document.getElementById('histogram-text').innerText)");
        browser.evaluate("document.querySelector('[data-kind=execution]').click()");
        browser.until("/timed runs/.test(document.getElementById('histogram-text').innerText)");
        browser.photograph("histogram");
    }

    @Test
    void shouldShowThePlanOfAStatementWhenItIsOpened() throws Exception {
        signIn();
        view("statements");
        browser.until("document.querySelectorAll('#statements details').length === 3");

        browser.evaluate("[...document.querySelectorAll('#statements details')]"
                + ".find((d) => d.innerText.includes('SELECT * FROM account')).open = true");

        browser.until("/ACCOUNT/.test(document.querySelector('#statements details[open] pre').innerText)");
        browser.photograph("plan");
    }

    @Test
    void shouldEndASessionThatIsListed() throws Exception {
        signIn();
        view("sessions");
        java.util.Properties without = new java.util.Properties();
        without.put("user", "till");
        without.put("sslmode", "disable");
        int port = node.postgres().orElseThrow().getPort();
        try (var session = java.sql.DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/x", without);
                var statement = session.createStatement()) {
            statement.executeQuery("SELECT 4711").close();
            browser.until("/4711/.test(document.getElementById('sessions').innerText)");
            browser.photograph("session");

            browser.evaluate("document.querySelector('button[data-session^=\"Cancel postgres\"]').click()");
            browser.until("/canceled/.test(document.getElementById('session-answer').innerText)");
            browser.evaluate("document.querySelector('button[data-session^=\"End postgres\"]').click()");

            browser.until("/is ended/.test(document.getElementById('session-answer').innerText)");
            browser.until("document.getElementById('no-sessions').checkVisibility()");
            assertThatThrownBy(() -> {
                        // The first statement meets the cancellation or the end, and the second one the end.
                        try {
                            statement.executeQuery("SELECT 1").close();
                        } catch (java.sql.SQLException canceled) {
                            statement.executeQuery("SELECT 1").close();
                        }
                    })
                    .isInstanceOf(java.sql.SQLException.class);
        }
    }

    @Test
    void shouldHideStatementsOfSessionsFromWhoMayOnlyWatch() throws Exception {
        view("sessions");

        browser.until("/administer/.test(document.getElementById('sessions-text').innerText)");
        assertThat(browser.evaluate("document.querySelectorAll('[data-session]').length"))
                .isEqualTo("0");
    }

    @Test
    void shouldMakeASnapshotWhenTheButtonIsPressed() throws Exception {
        signIn();
        view("storage");

        browser.evaluate("document.getElementById('make-snapshot').click()");

        browser.until("/^Snapshot .* rows/.test(document.getElementById('snapshot-answer').innerText)");
    }

    @Test
    void shouldKeepTheChosenColours() {
        browser.evaluate("document.getElementById('theme').click()");
        browser.evaluate("document.getElementById('theme').click()");

        assertThat(browser.text("theme")).isEqualTo("dark");
        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(18, 22, 29)");
        browser.evaluate("localStorage.clear()");
    }

    @Test
    void shouldShowTheClusterOfItsNode() throws Exception {
        NodeState state = new NodeState("till", "1");
        List<ClusterView.Node> nodes = List.of(
                new ClusterView.Node(0, "till", "a", true, "db0:21213", "db0:21212", "http://db0:7077", "0.1.0", "1"),
                new ClusterView.Node(1, "bank", "b", false, "db1:21213", "db1:21212", "http://db1:7077", "0.1.0", ""));
        List<ClusterView.Partition> partitions = List.of(
                new ClusterView.Partition(0, 0, true, 3, List.of(0, 1), List.of(0, 1), List.of(0, 1)),
                new ClusterView.Partition(1, 1, false, 4, List.of(1), List.of(1, 0), List.of(1, 2)));
        state.cluster(() -> new ClusterView(
                "shop",
                0,
                List.of(0, 1),
                List.of(),
                1,
                true,
                "zk:2181",
                "connected",
                1,
                7,
                nodes,
                partitions,
                0,
                new TreeMap<>(Map.of("db1:21213", "connection refused"))));
        try (HttpEndpoint endpoint = HttpEndpoint.open(
                new HttpEndpoint.Settings("127.0.0.1", 0, Protection.NONE, 16 << 20), state, () -> "", "token")) {
            another = endpoint.url();
            state.serving(node.engine());
            browser.open(endpoint.url() + "/#cluster");
            browser.until("document.querySelectorAll('#nodes tbody tr').length === 2");

            assertThat(browser.text("cluster-facts"))
                    .contains("1 of 2 running", "1 without a leader", "1 partitions with fewer in sync");
            assertThat(browser.text("nodes")).contains("till (0), this one", "bank (1)", "down");
            assertThat(browser.text("replicas")).contains("★ leads", "does not serve", "in sync");
            assertThat(browser.text("unreachable")).contains("db1:21213: connection refused");
            browser.photograph("cluster-of-two");
        }
        browser.until("document.getElementById('phase').innerText === 'no answer'");
        browser.complaints().clear();
    }

    private void signIn() throws Exception {
        browser.evaluate("document.getElementById('token').value = " + quoted(token()));
        browser.evaluate("document.getElementById('token').dispatchEvent(new Event('change'))");
        browser.until("document.getElementById('me').innerText.includes('token')");
    }

    @Test
    void shouldShowTheValuesOfASecondWhenTheArrowKeysAskForIt() {
        browser.until(
                "document.querySelector('#chart-throughput polyline')?.getAttribute('points').split(' ').length > 2");
        browser.evaluate("document.getElementById('chart-throughput').focus()");

        browser.press("ArrowLeft", 37, 0);

        browser.until("document.querySelector('#chart-throughput .cross')");
        assertThat(browser.text("chart-throughput")).contains("committed").doesNotContain("the last");
    }

    private void run(String statement, String button) throws Exception {
        view("sql");
        browser.evaluate("document.getElementById('answer').replaceChildren()");
        browser.evaluate("document.getElementById('token').value = " + quoted(token()));
        browser.evaluate("document.getElementById('sql').value = " + quoted(statement));
        browser.evaluate("document.getElementById('" + button + "').click()");
        browser.until("!document.getElementById('run').disabled");
        browser.complaints().removeIf(complaint -> complaint.contains("400 (Bad Request)"));
    }

    private void tabTo(String id) {
        for (int i = 0; i < 100 && !id.equals(browser.evaluate("document.activeElement.id")); i++) {
            browser.press("Tab", TAB, 0);
        }
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo(id);
    }

    private String selected() {
        return browser.evaluate("(() => { const box = document.getElementById('sql');"
                + " return box.value.substring(box.selectionStart, box.selectionEnd); })()");
    }

    private static String token() {
        return RunFile.read(folder.resolve("data")).orElseThrow().token();
    }

    private static String quoted(String text) {
        return new com.fasterxml.jackson.databind.ObjectMapper()
                .valueToTree(text)
                .toString();
    }
}
