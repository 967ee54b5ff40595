package io.reprise.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A change of the schema as it is persisted: in the log, for a replay, and, as the change that makes a whole schema
 * of an empty one, in the manifest of a snapshot. It has the code of the procedures it deploys, so that a replay runs
 * the code that ran, whatever is on the class path by then.
 *
 * <pre>
 *  byte format (1) | long catalog version | int next table id | int next procedure version
 *  text script
 *  int count, then for each jar: bytes
 *  int count, then for each class set: int count, then for each class: text name, bytes class file
 *  int count, then for each procedure: text name, int version, int class set or -1 for a single statement
 *  of a change in a cluster: long id of its transaction, or 0 | byte 1 if it replaces all tables, else 0
 *
 *  text: bytes in UTF-8;  bytes: int length, then so many;  numbers: big endian
 * </pre>
 *
 * @param catalogVersion the counters of the catalog after the change
 * @param nextProcedureVersion the number that the next version of a procedure gets
 * @param script DDL
 * @param jars new jars among the sources of procedures' classes
 * @param classSets class files by name; procedures that were loaded together share a set
 * @param procedures the procedures that the change makes or makes anew
 * @param transaction the cluster's transaction that made the last change; 0 if there is none
 * @param whole whether all tables are dropped first, because the node has missed changes
 */
record SchemaRecord(
        long catalogVersion,
        int nextTableId,
        int nextProcedureVersion,
        String script,
        List<byte[]> jars,
        List<SortedMap<String, byte[]>> classSets,
        List<MadeProcedure> procedures,
        long transaction,
        boolean whole) {
    private static final int FORMAT = 1;

    /** The class set of a procedure that is a single statement. */
    static final int NO_CLASSES = -1;

    /** A version of a procedure. */
    record MadeProcedure(String name, int version, int classSet) {}

    /** A change of a node that serves alone. */
    SchemaRecord(
            long catalogVersion,
            int nextTableId,
            int nextProcedureVersion,
            String script,
            List<byte[]> jars,
            List<SortedMap<String, byte[]>> classSets,
            List<MadeProcedure> procedures) {
        this(catalogVersion, nextTableId, nextProcedureVersion, script, jars, classSets, procedures, 0, false);
    }

    /** The same as a change that a transaction of the cluster makes. */
    SchemaRecord madeBy(long newTransaction, boolean isWhole) {
        return new SchemaRecord(
                catalogVersion,
                nextTableId,
                nextProcedureVersion,
                script,
                jars,
                classSets,
                procedures,
                newTransaction,
                isWhole);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeLong(catalogVersion);
            out.writeInt(nextTableId);
            out.writeInt(nextProcedureVersion);
            writeText(out, script);
            out.writeInt(jars.size());
            for (byte[] jar : jars) {
                writeBytes(out, jar);
            }
            out.writeInt(classSets.size());
            for (SortedMap<String, byte[]> classes : classSets) {
                out.writeInt(classes.size());
                for (String name : classes.keySet()) {
                    writeText(out, name);
                    writeBytes(out, classes.get(name));
                }
            }
            out.writeInt(procedures.size());
            for (MadeProcedure procedure : procedures) {
                writeText(out, procedure.name);
                out.writeInt(procedure.version);
                out.writeInt(procedure.classSet);
            }
            if (transaction != 0 || whole) {
                out.writeLong(transaction);
                out.writeBoolean(whole);
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /** The code of a procedure that it made; empty if that is a statement. */
    Optional<SortedMap<String, byte[]>> classesOf(MadeProcedure procedure) {
        return procedure.classSet == NO_CLASSES ? Optional.empty() : Optional.of(classSets.get(procedure.classSet));
    }

    /** Reads what {@link #encode} wrote; throws IllegalArgumentException, saying what is wrong with it. */
    static SchemaRecord decode(byte[] encoded) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IllegalArgumentException(
                        "the schema is written in format " + format + ", and this version reads format " + FORMAT);
            }
            long catalogVersion = in.readLong();
            int nextTableId = in.readInt();
            int nextProcedureVersion = in.readInt();
            String script = readText(in);
            List<byte[]> jars = new ArrayList<>();
            for (int i = readCount(in); i > 0; i--) {
                jars.add(readBytes(in));
            }
            List<SortedMap<String, byte[]>> classSets = new ArrayList<>();
            for (int i = readCount(in); i > 0; i--) {
                classSets.add(readClasses(in));
            }
            List<MadeProcedure> procedures = new ArrayList<>();
            for (int i = readCount(in); i > 0; i--) {
                procedures.add(new MadeProcedure(readText(in), in.readInt(), in.readInt()));
            }
            boolean ofCluster = in.available() == Long.BYTES + 1;
            long transaction = ofCluster ? in.readLong() : 0;
            boolean whole = ofCluster && in.readBoolean();
            if (in.available() > 0) {
                throw new IllegalArgumentException("the schema is followed by " + in.available() + " unknown bytes");
            }
            return new SchemaRecord(
                    catalogVersion,
                    nextTableId,
                    nextProcedureVersion,
                    script,
                    jars,
                    classSets,
                    procedures,
                    transaction,
                    whole);
        } catch (IOException e) {
            throw new IllegalArgumentException("the schema ends in the middle (" + encoded.length + " bytes)", e);
        }
    }

    private static SortedMap<String, byte[]> readClasses(DataInputStream in) throws IOException {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        for (int i = readCount(in); i > 0; i--) {
            classes.put(readText(in), readBytes(in));
        }
        return classes;
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[readCount(in)];
        in.readFully(bytes);
        return bytes;
    }

    /** A count can't exceed the bytes that are left, so that a wrong one does not ask for all memory. */
    private static int readCount(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > in.available()) {
            throw new IllegalArgumentException(
                    "the schema says " + count + " where " + in.available() + " bytes are left");
        }
        return count;
    }
}
