package io.reprise.net.postgres;

import io.reprise.session.ClientStatement;
import io.reprise.session.Prepared;
import io.reprise.session.RawParameter;
import io.reprise.session.SessionException;
import io.reprise.session.SqlSession;
import io.reprise.session.SqlStates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs the messages of the extended protocol but Flush and Sync: prepared statements and portals. Owned by the thread that runs the
 * connection's messages.
 */
final class ExtendedQueries {
    private final SqlSession session;
    private final Replies replies;
    private final GatheredStatements gathered;
    private final PortalRuns runs;
    private final CopyExchange copy;
    private final Consumer<String> said;
    private final Map<String, Portal> portals = new HashMap<>();

    /**
     * The messages of a session.
     *
     * @param said takes the text of each statement
     */
    ExtendedQueries(
            SqlSession session,
            Replies replies,
            GatheredStatements gathered,
            PortalRuns runs,
            CopyExchange copy,
            Consumer<String> said) {
        this.session = session;
        this.replies = replies;
        this.gathered = gathered;
        this.runs = runs;
        this.copy = copy;
        this.said = said;
    }

    /** A simple query takes the place of the unnamed portal. */
    void dropUnnamedPortal() {
        portals.remove("");
    }

    /** The transaction has ended, and its portals with it. */
    void dropPortals() {
        portals.clear();
    }

    /** Parse: prepares a statement. */
    void parse(BodyReader in) {
        String name = in.string();
        String text = in.string();
        int[] types = new int[in.int16()];
        for (int i = 0; i < types.length; i++) {
            types[i] = in.int32();
        }
        in.end();
        session.statements().checkNew(name);
        List<ClientStatement> parts = ClientStatement.split(text);
        if (parts.size() > 1) {
            throw new SessionException(
                    SqlStates.SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement");
        }
        said.accept(text);
        session.statements().put(name, parts.isEmpty() ? null : session.prepare(parts.getFirst(), types));
        gathered.answer(replies::parseComplete);
    }

    private Portal portal(String name) {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw new SessionException(SqlStates.UNKNOWN_PORTAL, "portal \"" + name + "\" does not exist");
        }
        return portal;
    }

    /** Bind: makes a portal of a prepared statement and its parameters. */
    void bind(BodyReader in) {
        String name = in.string();
        Prepared prepared = session.statements().find(in.string());
        int[] formats = formats(in);
        int count = in.int16();
        if (formats.length > 1 && formats.length != count) {
            throw new SessionException(
                    SqlStates.PROTOCOL_VIOLATION,
                    "bind message has " + formats.length + " parameter formats but " + count + " parameters");
        }
        RawParameter[] values = new RawParameter[count];
        for (int i = 0; i < count; i++) {
            int length = in.int32();
            values[i] = new RawParameter(length < 0 ? null : in.bytes(length), Replies.isBinary(formats, i));
        }
        int[] resultFormats = formats(in);
        in.end();
        if (!name.isEmpty() && portals.containsKey(name)) {
            throw new SessionException("42P03", "portal \"" + name + "\" already exists");
        }
        if (prepared != null
                && resultFormats.length > 1
                && prepared.hasKnownColumns()
                && resultFormats.length != prepared.columns().size()) {
            throw new SessionException(
                    SqlStates.PROTOCOL_VIOLATION,
                    "bind message has " + resultFormats.length + " result formats but query has "
                            + prepared.columns().size() + " columns");
        }
        portals.put(name, new Portal(prepared == null ? null : session.bind(prepared, values), resultFormats));
        gathered.answer(replies::bindComplete);
    }

    private static int[] formats(BodyReader in) {
        int[] formats = new int[in.int16()];
        for (int i = 0; i < formats.length; i++) {
            formats[i] = in.int16();
            if (formats[i] > 1) {
                throw new SessionException(SqlStates.INVALID_SETTING, "unsupported format code: " + formats[i]);
            }
        }
        return formats;
    }

    /** Describe: writes the columns of a statement or a portal. */
    void describe(BodyReader in) {
        byte what = in.int8();
        String name = in.string();
        in.end();
        if (what == 'S') {
            Prepared prepared = session.statements().find(name);
            gathered.answer(() -> {
                replies.parameterDescription(prepared == null ? List.of() : prepared.parameterTypes());
                describeColumns(prepared);
            });
            return;
        }
        if (!portals.containsKey(name) && session.hasCursor(name)) {
            gathered.answer(() -> replies.rowDescription(session.cursorColumns(name)));
            return;
        }
        Portal portal = portal(name);
        if (portal.bound() == null) {
            gathered.answer(replies::noData);
            return;
        }
        Prepared prepared = portal.bound().prepared();
        if (!prepared.hasKnownColumns() && !portal.isSubmitted()) {
            runAlone(portal);
        }
        if (prepared.hasKnownColumns()) {
            gathered.answer(() -> describeColumns(prepared, portal.formats()));
        } else if (portal.answer().returnsRows()) {
            replies.rowDescription(portal.answer().columns(), portal.formats());
        } else {
            replies.noData();
        }
    }

    private void describeColumns(Prepared prepared, int... formats) {
        if (prepared == null || !prepared.returnsRows()) {
            replies.noData();
        } else {
            replies.rowDescription(prepared.columns(), formats);
        }
    }

    /** Execute: runs a portal, or writes its next rows. */
    void execute(BodyReader in) {
        Portal portal = portal(in.string());
        int most = Math.max(0, in.int32());
        in.end();
        if (portal.bound() == null) {
            gathered.answer(replies::emptyQuery);
            return;
        }
        if (portal.bound().prepared().kind() == ClientStatement.Kind.COPY) {
            gathered.run(false);
            copy.begin(portal.bound().prepared().statement(), false);
        } else if (portal.isSubmitted()) {
            gathered.run(false);
            runs.result(portal, most);
        } else if (gathered.takes(portal.bound().prepared())) {
            portal.submit();
            gathered.add(portal.bound(), () -> runs.result(portal, most));
        } else {
            runAlone(portal);
            runs.result(portal, most);
        }
    }

    /** Close: drops a statement or a portal. */
    void close(BodyReader in) {
        byte what = in.int8();
        String name = in.string();
        in.end();
        if (what == 'S') {
            session.statements().remove(name);
        } else {
            portals.remove(name);
        }
        gathered.answer(replies::closeComplete);
    }

    private void runAlone(Portal portal) {
        gathered.run(false);
        runs.run(portal);
    }
}
