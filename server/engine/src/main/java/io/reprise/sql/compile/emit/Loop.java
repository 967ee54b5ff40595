package io.reprise.sql.compile.emit;

import io.reprise.procedure.LoopGuard;
import java.lang.classfile.Label;

/** A loop while it is emitted: {@code start; condition, jumping to end; body; step; jump to start; end}. */
public final class Loop {
    private final Code code;
    private final Label start;
    private final Label end;

    /** Binds the start. */
    public Loop(Code code) {
        this.code = code;
        start = code.newLabel();
        end = code.newLabel();
        code.bind(start);
    }

    public Label end() {
        return end;
    }

    /** Emits the body; its results are not there after the loop. The loop can be interrupted by the time limit. */
    public void body(Runnable emit) {
        code.call(LoopGuard.class, "check");
        code.conditionally(emit);
    }

    /** Emits the jump back and binds the end. */
    public void close() {
        code.jump(start);
        code.bind(end);
    }
}
