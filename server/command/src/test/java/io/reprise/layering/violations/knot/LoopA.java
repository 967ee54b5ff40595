package io.reprise.layering.violations.knot;

final class LoopA {
    LoopB next;
}
