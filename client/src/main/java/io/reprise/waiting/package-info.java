/**
 * How threads wait for what comes soon: by looking again, where that has been rewarded, before they sleep. Server and client both
 * wait so; it knows neither of them.
 */
package io.reprise.waiting;
