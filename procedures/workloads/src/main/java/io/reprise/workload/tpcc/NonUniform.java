package io.reprise.workload.tpcc;

import io.reprise.workload.RandomValues;

/** Clause 2.1.6: NURand, the specification's non-uniform random numbers. */
final class NonUniform {
    private NonUniform() {}

    /** NURand(A, min, max) with the constant C. */
    static int next(RandomValues random, int a, int c, int min, int max) {
        return ((random.uniform(0, a) | random.uniform(min, max)) + c) % (max - min + 1) + min;
    }

    /** A constant for customer ids and item ids. */
    static int constant(RandomValues random, int a) {
        return random.uniform(0, a);
    }

    /** Clause 2.1.6.1: the run's constant for last names differs from the load's by an amount that is prescribed. */
    static int runConstantForNames(RandomValues random, int loadConstant) {
        while (true) {
            int constant = random.uniform(0, 255);
            int delta = Math.abs(constant - loadConstant);
            if (delta >= 65 && delta <= 119 && delta != 96 && delta != 112) {
                return constant;
            }
        }
    }
}
