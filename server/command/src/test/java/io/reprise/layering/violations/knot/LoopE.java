package io.reprise.layering.violations.knot;

final class LoopE {
    LoopA next;
}
