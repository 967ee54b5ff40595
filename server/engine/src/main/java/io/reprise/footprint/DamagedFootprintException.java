package io.reprise.footprint;

/** Bytes that should be footprints and are none. */
public final class DamagedFootprintException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DamagedFootprintException(String message) {
        super(message);
    }
}
