package io.reprise.net.peer;

import io.netty.channel.Channel;

/** Takes over connections on which another node passes clients' calls on. */
public interface PeerCalls {
    /** The channel's network loop: adds the handlers of the native protocol to the channel. */
    void accept(Channel channel);
}
