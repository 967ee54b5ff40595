package io.reprise.layering.violations.storage;

import io.netty.buffer.ByteBuf;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;

/** A table that knows Netty, ZooKeeper and Curator. */
public record KnowsLibraries(ByteBuf buffer, ZooKeeper zooKeeper, CuratorFramework curator) {}
