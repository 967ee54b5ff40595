package io.reprise.layering.violations.id;

/** Innocent. */
public final class Leaf {
    private Leaf() {}
}
