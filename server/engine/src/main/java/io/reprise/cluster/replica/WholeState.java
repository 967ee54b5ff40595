package io.reprise.cluster.replica;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** A machine whose state is so small that an image is made and loaded at once. */
public abstract class WholeState implements Machine {
    private final ByteArrayOutputStream arriving = new ByteArrayOutputStream(0);

    /** The state as bytes. */
    public abstract byte[] image();

    /** Replaces the state by that of an image. */
    public abstract void load(byte[] image);

    @Override
    public final boolean take(int number, byte[] piece) {
        if (number == 0) {
            arriving.reset();
        }
        arriving.writeBytes(piece);
        if (piece.length == 0) {
            load(arriving.toByteArray());
        }
        return true;
    }

    @Override
    public final ImageSource image(int pieceBytes) {
        byte[] image = image();
        return new ImageSource() {
            private int given;
            private boolean ended;

            @Override
            public byte[] next() {
                if (ended) {
                    return null;
                }
                byte[] piece = Arrays.copyOfRange(image, given, Math.min(image.length, given + pieceBytes));
                given += piece.length;
                ended = piece.length == 0;
                return piece;
            }

            @Override
            public boolean isLost() {
                return false;
            }

            @Override
            public void close() {
                // It holds nothing but bytes.
            }
        };
    }
}
