/**
 * Short waits of threads: they look again, if that has been rewarded, before they sleep. Server and client both wait
 * so; it knows neither of them.
 */
package io.reprise.waiting;
