package io.reprise.node.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A headless Chromium with one page, driven by the DevTools protocol. It notes what the page asks for and what it complains
 * of. Commands are sent by the test's thread, one after the other; answers and events come on the HTTP client's.
 */
final class Browser implements AutoCloseable, WebSocket.Listener {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/");
    private static final int WAIT_SECONDS = 60;
    private static final int PAGE_WAIT_MS = 30_000;

    private final ObjectMapper mapper = new ObjectMapper();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger nextId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final StringBuilder arriving = new StringBuilder();

    private Browser(Path program, Path profile) throws IOException, InterruptedException {
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        // Its sandbox needs rights that a container or root often lacks; it sees our own page only.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-extensions",
                        "--disable-sync",
                        "--no-first-run",
                        "--window-size=1280,900",
                        "--user-data-dir=" + profile,
                        "--remote-debugging-port=0",
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String address = listening();
            socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create(pageSocket(address)), this)
                    .join();
            for (String part : List.of("Page", "Runtime", "Network", "Log")) {
                send(part + ".enable");
            }
        } catch (IOException | RuntimeException | Error failure) {
            process.destroyForcibly();
            throw failure;
        }
    }

    /** The path of a Chromium on this machine. */
    static Optional<Path> find() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Browser start(Path program, Path profile) throws IOException, InterruptedException {
        return new Browser(program, profile);
    }

    private String listening() throws IOException {
        BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = errors.readLine(); line != null; line = errors.readLine()) {
            lines.add(line);
            Matcher matcher = LISTENING.matcher(line);
            if (matcher.find()) {
                // Whatever else it says must not fill the pipe.
                Thread.ofVirtual().start(() -> errors.lines().forEach(rest -> {}));
                return matcher.group(1);
            }
        }
        throw new IllegalStateException("the browser has ended: " + String.join("\n", lines));
    }

    /** It listens before it has made its first page. */
    private String pageSocket(String address) throws IOException, InterruptedException {
        HttpRequest asking = HttpRequest.newBuilder(URI.create("http://" + address + "/json/list"))
                .build();
        long beganNs = System.nanoTime();
        String pages = "";
        while (System.nanoTime() - beganNs < TimeUnit.SECONDS.toNanos(WAIT_SECONDS)) {
            pages = client.send(asking, HttpResponse.BodyHandlers.ofString()).body();
            for (JsonNode page : mapper.readTree(pages)) {
                if (page.get("type").asText().equals("page")) {
                    return page.get("webSocketDebuggerUrl").asText();
                }
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new IllegalStateException("the browser has no page: " + pages);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        arriving.append(data);
        if (last) {
            String text = arriving.toString();
            arriving.setLength(0);
            try {
                take(mapper.readTree(text));
            } catch (IOException e) {
                complaints.add("the browser sent " + text);
            }
        }
        from.request(1);
        return null;
    }

    private void take(JsonNode message) {
        if (message.has("id")) {
            answers.remove(message.get("id").asInt()).complete(message);
            return;
        }
        JsonNode event = message.get("params");
        switch (message.get("method").asText()) {
            case "Network.requestWillBeSent" ->
                requests.add(event.get("request").get("url").asText());
            case "Runtime.exceptionThrown" -> complaints.add(event.toString());
            case "Log.entryAdded" -> {
                // Verbose entries are recommendations.
                if (!event.get("entry").get("level").asText().equals("verbose")) {
                    complaints.add(event.toString());
                }
            }
            case "Runtime.consoleAPICalled" -> complaints.add(event.toString());
            default -> {}
        }
    }

    /** The complaints of the page: exceptions, and everything on the console. */
    List<String> complaints() {
        return complaints;
    }

    /** All that it has asked for. */
    List<String> requests() {
        return requests;
    }

    private JsonNode send(String method, Object... parameters) {
        int id = nextId.incrementAndGet();
        ObjectNode message = mapper.createObjectNode().put("id", id).put("method", method);
        ObjectNode named = message.putObject("params");
        for (int i = 0; i < parameters.length; i += 2) {
            named.set((String) parameters[i], mapper.valueToTree(parameters[i + 1]));
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(message.toString(), true).join();
        JsonNode said = answer.orTimeout(WAIT_SECONDS, TimeUnit.SECONDS).join();
        if (said.has("error")) {
            throw new AssertionError(method + ": " + said.get("error"));
        }
        return said.get("result");
    }

    /** Goes to an address, and forgets what was noted before. */
    void open(String url) {
        complaints.clear();
        requests.clear();
        send("Page.navigate", "url", url);
        until("document.readyState === 'complete' && location.href.startsWith('" + url + "')");
    }

    /** The value of an expression, as text; null if it has none. */
    String evaluate(String expression) {
        JsonNode said = send("Runtime.evaluate", "expression", expression, "awaitPromise", true, "returnByValue", true);
        if (said.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + said.get("exceptionDetails"));
        }
        JsonNode value = said.get("result").get("value");
        return value == null ? null : value.asText();
    }

    /** The text of the element with this id. */
    String text(String id) {
        return evaluate("document.getElementById('" + id + "').innerText");
    }

    /** Waits in the page until a condition holds. */
    void until(String condition) {
        evaluate("new Promise((done, failed) => { const end = Date.now() + " + PAGE_WAIT_MS
                + "; const look = () => { if (" + condition
                + ") done(true); else if (Date.now() > end) failed(new Error('it did not come to: ' + "
                + mapper.valueToTree(condition) + " + '; the page has: ' + document.body.innerText));"
                + " else setTimeout(look, 50); }; look(); })");
    }

    /** Types into what has the focus. */
    void type(String text) {
        send("Input.insertText", "text", text);
    }

    /** Presses a key that makes no text. */
    void press(String key, int code, int modifiers) {
        for (String kind : List.of("rawKeyDown", "keyUp")) {
            send(
                    "Input.dispatchKeyEvent",
                    "type",
                    kind,
                    "key",
                    key,
                    "code",
                    key,
                    "windowsVirtualKeyCode",
                    code,
                    "modifiers",
                    modifiers);
        }
    }

    /** Prefers light or dark. */
    void prefer(String scheme) {
        send(
                "Emulation.setEmulatedMedia",
                "features",
                List.of(Map.of("name", "prefers-color-scheme", "value", scheme)));
    }

    /** Gives the page another size. */
    void resize(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                "width",
                width,
                "height",
                height,
                "deviceScaleFactor",
                1,
                "mobile",
                false);
    }

    /** All of the page as an image; only if somebody has asked for images by {@code -Dreprise.screenshots=FOLDER}. */
    void photograph(String name) throws IOException {
        String folder = System.getProperty("reprise.screenshots");
        if (folder != null) {
            JsonNode image = send("Page.captureScreenshot", "format", "png", "captureBeyondViewport", true);
            Files.createDirectories(Path.of(folder));
            Files.write(
                    Path.of(folder, name + ".png"),
                    Base64.getDecoder().decode(image.get("data").asText()));
        }
    }

    /** Ends the browser and waits for it, so that its profile can be removed. */
    @Override
    public void close() throws IOException, InterruptedException {
        socket.abort();
        client.close();
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        for (ProcessHandle one : all) {
            one.destroyForcibly();
            one.onExit().orTimeout(WAIT_SECONDS, TimeUnit.SECONDS).join();
        }
    }
}
