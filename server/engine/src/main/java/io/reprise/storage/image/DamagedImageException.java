package io.reprise.storage.image;

/** Bytes that should be the image of a row, or a record made of such images, are not. */
public final class DamagedImageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says what is wrong with the bytes. */
    public DamagedImageException(String message) {
        super(message);
    }
}
