package io.reprise.layering.violations.knot;

final class LoopD {
    LoopE next;
}
