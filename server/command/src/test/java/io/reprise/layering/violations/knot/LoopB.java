package io.reprise.layering.violations.knot;

final class LoopB {
    LoopC next;
}
