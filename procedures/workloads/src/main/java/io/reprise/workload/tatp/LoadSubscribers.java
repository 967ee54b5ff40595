package io.reprise.workload.tatp;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.TextBuilder;
import io.reprise.workload.RandomValues;

/** Loads subscribers with their access data, special facilities and call forwardings. */
public final class LoadSubscribers extends Procedure {
    private static final int[] TYPES = {1, 2, 3, 4};
    private static final int[] START_TIMES = {0, 8, 16};

    private final Statement insertSubscriber = sql("INSERT INTO subscriber (s_id, sub_nbr, " + Sql.SUBSCRIBER_DATA
            + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
            + " ?, ?)");
    private final Statement insertAccess =
            sql("INSERT INTO access_info (s_id, ai_type, data1, data2, data3, data4) VALUES (?, ?, ?, ?, ?, ?)");
    private final Statement insertFacility = sql("INSERT INTO special_facility"
            + " (s_id, sf_type, is_active, error_cntrl, data_a, data_b) VALUES (?, ?, ?, ?, ?, ?)");
    private final Statement insertForwarding = sql(Sql.INSERT_FORWARDING);
    private final RandomValues random = new RandomValues(0);
    private final TextBuilder text = new TextBuilder(15);

    /** Loads the subscribers with these ids. */
    public void run(int[] ids, long seed) {
        for (int id : ids) {
            random.seed(seed, 1, id, 0);
            insertSubscriber(id);
            int accesses = random.uniform(1, TYPES.length);
            int first = random.uniform(0, TYPES.length - 1);
            for (int i = 0; i < accesses; i++) {
                insertAccess(id, TYPES[(first + i) % TYPES.length]);
            }
            insertFacilities(id, seed);
        }
    }

    private void insertSubscriber(int id) {
        insertSubscriber.set(0, id).set(1, Tatp.number(text, id).text());
        for (int i = 0; i < 10; i++) {
            insertSubscriber.set(2 + i, random.uniform(0, 1));
            insertSubscriber.set(12 + i, random.uniform(0, 15));
            insertSubscriber.set(22 + i, random.uniform(0, 255));
        }
        insertSubscriber.set(32, 1 + random.below(Tatp.LOCATIONS));
        insertSubscriber.set(33, 1 + random.below(Tatp.LOCATIONS)).update();
    }

    private void insertAccess(int id, int type) {
        insertAccess.set(0, id).set(1, type).set(2, random.uniform(0, 255)).set(3, random.uniform(0, 255));
        insertAccess.set(4, letters(3).text());
        insertAccess.set(5, letters(5).text()).update();
    }

    private void insertFacilities(int id, long seed) {
        int facilities = facilities(random, seed, id);
        int first = random.uniform(0, TYPES.length - 1);
        for (int i = 0; i < facilities; i++) {
            int type = TYPES[(first + i) % TYPES.length];
            int forwardings = forwardings(random, seed, id, i);
            insertFacility(id, type);
            insertForwardings(id, type, forwardings);
        }
    }

    /** The number of a subscriber's special facilities when loaded; the sequence goes on with their types. */
    private static int facilities(RandomValues random, long seed, int id) {
        return random.seed(seed, 2, id, 0).uniform(1, TYPES.length);
    }

    /** The number of call forwardings of the subscriber's {@code index}-th special facility when loaded. */
    private static int forwardings(RandomValues random, long seed, int id, int index) {
        return random.seed(seed, 3, id, index).uniform(0, START_TIMES.length);
    }

    /** The number of call forwardings when subscribers 1 to {@code subscribers} have been loaded. */
    static long forwardings(int subscribers, long seed) {
        RandomValues random = new RandomValues(0);
        long sum = 0;
        for (int id = 1; id <= subscribers; id++) {
            for (int i = facilities(random, seed, id) - 1; i >= 0; i--) {
                sum += forwardings(random, seed, id, i);
            }
        }
        return sum;
    }

    private void insertFacility(int id, int type) {
        insertFacility.set(0, id).set(1, type).set(2, random.uniform(1, 100) <= 85 ? 1 : 0);
        insertFacility.set(3, random.uniform(0, 255)).set(4, random.uniform(0, 255));
        insertFacility.set(5, letters(5).text()).update();
    }

    private void insertForwardings(int id, int type, int forwardings) {
        int first = random.uniform(0, START_TIMES.length - 1);
        for (int i = 0; i < forwardings; i++) {
            int start = START_TIMES[(first + i) % START_TIMES.length];
            insertForwarding.set(0, id).set(1, type).set(2, start).set(3, start + random.uniform(1, 8));
            insertForwarding.set(4, random.numeric(text.clear(), 15, 15).text()).update();
        }
    }

    private TextBuilder letters(int count) {
        text.clear();
        for (int i = 0; i < count; i++) {
            text.append((char) ('A' + random.uniform(0, 25)));
        }
        return text;
    }
}
