package io.reprise.layering.violations.workload;

import io.reprise.layering.violations.id.Leaf;
import java.util.SplittableRandom;

/** A procedure that knows server code and takes chance without a seed. */
public record KnowsServer(Leaf leaf) {
    static long unseeded() {
        return new SplittableRandom().nextLong();
    }

    static long seeded() {
        return new SplittableRandom(42).nextLong();
    }
}
