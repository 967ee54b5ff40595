package io.reprise.layering.violations.storage;

import io.reprise.layering.violations.client.KnowsLog;
import io.reprise.layering.violations.wire.Frame;

/** A server that knows the client, and the protocol outside of the network. */
public record KnowsClient(KnowsLog client, Frame frame) {}
