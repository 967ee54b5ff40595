package io.reprise.execution.durable;

import io.reprise.execution.Invocation;
import io.reprise.execution.Work;
import io.reprise.log.RecordBuilder;
import io.reprise.log.command.CommandWriter;

/** Writes what was called into a command record. Owned by the site's thread. */
final class CommandRecorder {
    private final CommandWriter writer = new CommandWriter();

    void record(Invocation invocation, RecordBuilder record) {
        Work work = invocation.work();
        if (work.version() == Work.NO_VERSION) {
            writer.beginStatement(work.name());
        } else {
            writer.begin(work.version());
        }
        CommandArguments.write(invocation.arguments(), writer);
        record.putBytes(writer.segment(), 0, writer.length());
    }
}
