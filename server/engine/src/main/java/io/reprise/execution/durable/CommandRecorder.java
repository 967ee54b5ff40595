package io.reprise.execution.durable;

import io.reprise.execution.Request;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.log.RecordBuilder;
import io.reprise.record.command.CommandWriter;
import io.reprise.record.command.PlainValues;
import io.reprise.runtime.memory.Memory;

/** Writes what was called into a command record. Owned by the site's thread. */
public final class CommandRecorder {
    private final CommandWriter writer = new CommandWriter();

    /** Writes a call behind what the record has. */
    public void record(Work work, Request request, RecordBuilder record) {
        if (work.version() != Work.NO_VERSION && recordPlain(work.version(), request.arguments(), record)) {
            return;
        }
        if (work.version() == Work.NO_VERSION) {
            writer.beginStatement(work.name());
        } else {
            writer.begin(work.version());
        }
        CommandArguments.write(request.arguments(), writer);
        record.putBytes(writer.segment(), 0, writer.length());
    }

    private static boolean recordPlain(int version, Arguments arguments, RecordBuilder record) {
        long begin = record.address();
        if (record.limit() - begin < PlainValues.BEGIN_BYTES) {
            return false;
        }
        Memory memory = record.memory();
        long values = PlainValues.begin(memory, begin, version);
        long end = CommandArguments.writePlain(arguments, memory, values, record.limit());
        if (end == 0) {
            return false;
        }
        record.wroteUpTo(end);
        return true;
    }
}
