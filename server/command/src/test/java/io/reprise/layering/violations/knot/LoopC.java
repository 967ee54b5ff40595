package io.reprise.layering.violations.knot;

final class LoopC {
    LoopD next;
}
