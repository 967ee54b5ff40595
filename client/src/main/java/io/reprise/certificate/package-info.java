/** What server and client both have to know of certificates and their keys; it knows neither of them. */
package io.reprise.certificate;
