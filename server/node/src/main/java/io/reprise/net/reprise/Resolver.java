package io.reprise.net.reprise;

import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureSignature;
import io.reprise.execution.work.ProcedureWork;
import io.reprise.net.session.Backend;
import io.reprise.net.session.Session;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Parameter;
import io.reprise.wire.message.Resolved;

/** The answers to Resolve: a procedure's handle, parameters and routing. Any thread. */
final class Resolver {
    private final Backend backend;
    private final ProcedureHandles handles;

    Resolver(Backend backend, ProcedureHandles handles) {
        this.backend = backend;
        this.handles = handles;
    }

    /** The facts that a client needs to call a procedure, or the reason why it can't. */
    Resolved resolve(long id, String name, Session session) {
        Resolved.Builder answer = Resolved.newBuilder().setId(id);
        Work work = backend.procedure(name);
        if (work == null) {
            return failure(answer, Failure.Code.INVALID_REQUEST, backend.noProcedure(name));
        }
        if (!session.user().mayCall(work)) {
            session.countNotPermitted();
            return failure(answer, Failure.Code.NOT_PERMITTED, session.user().mayNotCall(work));
        }
        int handle = handles.handle(work.name());
        if (handle == 0) {
            return failure(
                    answer,
                    Failure.Code.INVALID_REQUEST,
                    "the server has given numbers to as many procedures as it can; restart it");
        }
        answer.setHandle(handle).setReadOnly(work.readOnly());
        if (work instanceof ProcedureWork procedure) {
            describe(procedure, answer);
        }
        return answer.build();
    }

    private static void describe(ProcedureWork procedure, Resolved.Builder answer) {
        ProcedureSignature signature = procedure.signature();
        for (int i = 0; i < signature.parameters().size(); i++) {
            answer.addParameter(Parameter.newBuilder()
                    .setName(signature.names().get(i))
                    .setType(signature.parameters().get(i).javaType().getSimpleName()));
        }
        answer.setRoutingParameter(procedure.homeParameter() + 1);
    }

    private static Resolved failure(Resolved.Builder answer, Failure.Code code, String message) {
        return answer.setFailure(Failure.newBuilder().setCode(code).setMessage(message))
                .build();
    }
}
