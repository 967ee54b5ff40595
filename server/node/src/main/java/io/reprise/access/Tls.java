package io.reprise.access;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * The encryption of a port.
 *
 * @param context its keys
 * @param asksForCertificates whether clients may show certificates. A certificate that does not count is refused. A
 *     client that has to show one and doesn't is told so after the handshake, in words; the node's token needs none
 */
public record Tls(SSLContext context, boolean asksForCertificates) {
    /** The parameters of a server for connections of clients. */
    public SSLParameters parameters() {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setWantClientAuth(asksForCertificates);
        return parameters;
    }

    /** The server's side of a connection. */
    public SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setWantClientAuth(asksForCertificates);
        return engine;
    }
}
