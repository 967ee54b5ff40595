package io.reprise.configuration;

/** A configuration that can't be used; the message says where in the file, what is wrong, and what could stand there. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigurationException(String message) {
        super(message);
    }

    ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
