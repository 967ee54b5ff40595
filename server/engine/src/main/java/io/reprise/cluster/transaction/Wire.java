package io.reprise.cluster.transaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Lists and byte arrays in records and messages: u4 length, then the elements. */
final class Wire {
    private Wire() {}

    static void putInts(ByteBuffer out, int[] values) {
        out.putInt(values.length);
        for (int value : values) {
            out.putInt(value);
        }
    }

    static int[] ints(ByteBuffer in) {
        int[] values = new int[in.getInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.getInt();
        }
        return values;
    }

    static void putBytes(ByteBuffer out, byte[] bytes) {
        out.putInt(bytes.length).put(bytes);
    }

    static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }

    static byte[] rest(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }

    static int bytesOf(List<byte[]> list) {
        int bytes = 4;
        for (byte[] each : list) {
            bytes += 4 + each.length;
        }
        return bytes;
    }

    static void putList(ByteBuffer out, List<byte[]> list) {
        out.putInt(list.size());
        for (byte[] each : list) {
            putBytes(out, each);
        }
    }

    static List<byte[]> list(ByteBuffer in) {
        int count = in.getInt();
        List<byte[]> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(bytes(in));
        }
        return list;
    }

    static int bytesOfResults(List<Result> results) {
        int bytes = 4;
        for (Result each : results) {
            bytes += 5 + each.rows().length;
        }
        return bytes;
    }

    static void putResults(ByteBuffer out, List<Result> results) {
        out.putInt(results.size());
        for (Result each : results) {
            out.put((byte) (each.aborted() ? 1 : 0));
            putBytes(out, each.rows());
        }
    }

    static List<Result> results(ByteBuffer in) {
        int count = in.getInt();
        List<Result> results = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            results.add(new Result(in.get() != 0, bytes(in)));
        }
        return results;
    }
}
