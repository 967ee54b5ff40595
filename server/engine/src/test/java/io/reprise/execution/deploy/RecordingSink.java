package io.reprise.execution.deploy;

import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;

/** Remembers a result, boxed. */
final class RecordingSink implements ResultSink {
    private Object result = "no result";

    Object result() {
        return result;
    }

    @Override
    public void nothing() {
        result = null;
    }

    @Override
    public void integer(long value) {
        result = value;
    }

    @Override
    public void bool(boolean value) {
        result = value;
    }

    @Override
    public void number(double value) {
        result = value;
    }

    @Override
    public void string(String value) {
        result = value;
    }

    @Override
    public void rows(Rows value) {
        result = value;
    }

    @Override
    public void table(ResultTable value) {
        result = value;
    }
}
