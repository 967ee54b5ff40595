/** Certificates and keys for server and client; it knows neither of them. */
package io.reprise.certificate;
