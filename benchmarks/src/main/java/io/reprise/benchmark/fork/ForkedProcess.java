package io.reprise.benchmark.fork;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Main class of a {@link Fork}'s process: answers its standard input, a line for a line, until that ends.
 *
 * <p>A thread reads ahead, so that the end of the input is noticed while an answer takes its time: the parent is gone then, and
 * the answer has no reader.
 */
final class ForkedProcess {
    private final ForkedTask task;
    private final PrintStream answers;
    private final BlockingQueue<Optional<String>> requests = new LinkedBlockingQueue<>();
    private volatile boolean answering;

    private ForkedProcess(ForkedTask task, PrintStream answers) {
        this.task = task;
        this.answers = answers;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Class<? extends ForkedTask> type = Class.forName(arguments[0]).asSubclass(ForkedTask.class);
        ForkedTask task = type.getConstructor().newInstance();
        System.exit(new ForkedProcess(task, answers).run());
    }

    private int run() throws Exception {
        try (task) {
            return answerAll();
        }
    }

    /** A failure is told before the task is closed, which may be the process's end. */
    private int answerAll() throws InterruptedException {
        Thread.ofPlatform().daemon().name("requests").start(this::read);
        try {
            Optional<String> words = take();
            if (words.isEmpty()) {
                return 0;
            }
            task.open(Lines.words(words.get()));
            answer("\n");
            for (Optional<String> line = take(); line.isPresent(); line = take()) {
                answer(Lines.ofNumbers(task.answer(Lines.words(line.get()))));
            }
            return 0;
        } catch (Exception | Error failure) {
            failure.printStackTrace();
            answer(Lines.ofFailure(failure));
            return 1;
        }
    }

    /** A parent that closes its end between two questions lets the task close; one that is gone in the midst of one doesn't. */
    private Optional<String> take() throws InterruptedException {
        Optional<String> line = requests.take();
        answering = true;
        return line;
    }

    private void answer(String line) {
        answering = false;
        answers.print(line);
        answers.flush();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                requests.add(Optional.of(line));
            }
        } catch (IOException e) {
            // The parent is gone.
        }
        if (answering) {
            Runtime.getRuntime().halt(1);
        }
        requests.add(Optional.empty());
    }
}
