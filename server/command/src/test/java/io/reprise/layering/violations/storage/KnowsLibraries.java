package io.reprise.layering.violations.storage;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import org.apache.calcite.rex.RexNode;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;

/** A table that knows Netty, ZooKeeper, Curator, Calcite and Jackson. */
public record KnowsLibraries(
        ByteBuf buffer, ZooKeeper zooKeeper, CuratorFramework curator, RexNode calcite, JsonNode json) {}
