package io.reprise.node.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A POST request that has been read, and whose sender has gone: an answer can't be sent. */
final class LostExchange extends HttpExchange {
    private final Headers request = new Headers();
    private final Headers response = new Headers();
    private final InputStream body;

    LostExchange(String body) {
        this.body = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Headers getRequestHeaders() {
        return request;
    }

    @Override
    public Headers getResponseHeaders() {
        return response;
    }

    @Override
    public URI getRequestURI() {
        return URI.create("/sql");
    }

    @Override
    public String getRequestMethod() {
        return "POST";
    }

    @Override
    public HttpContext getHttpContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // The connection has ended.
    }

    @Override
    public InputStream getRequestBody() {
        return body;
    }

    @Override
    public OutputStream getResponseBody() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public void sendResponseHeaders(int code, long length) throws IOException {
        throw new IOException("Connection reset by peer");
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public int getResponseCode() {
        return -1;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    }

    @Override
    public String getProtocol() {
        return "HTTP/1.1";
    }

    @Override
    public Object getAttribute(String name) {
        return null;
    }

    @Override
    public void setAttribute(String name, Object value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setStreams(InputStream in, OutputStream out) {
        throw new UnsupportedOperationException();
    }

    @Override
    public HttpPrincipal getPrincipal() {
        return null;
    }
}
