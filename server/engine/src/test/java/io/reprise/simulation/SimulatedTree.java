package io.reprise.simulation;

import io.reprise.runtime.Randomness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * All names on a simulated disk, with the changes that are not on the medium yet, in their order. Forcing a directory
 * carries the changes of its names there; a crash carries some. A rename is one change: after a crash it happened or
 * did not. A change doesn't overtake an earlier one of the same name, as in any journal.
 */
final class SimulatedTree {
    private final SimulatedDirectory root = new SimulatedDirectory();
    private final List<Change> pending = new ArrayList<>();

    private record Place(SimulatedDirectory directory, String name) {}

    /** A place that gets a node, or with null loses its node. */
    private record Slot(Place place, SimulatedNode node) {}

    /** One or two slots that change at once; durable with the directory of the first. */
    private record Change(List<Slot> slots) {
        SimulatedDirectory directory() {
            return slots.getFirst().place().directory();
        }
    }

    /** The node of a path, or null. */
    SimulatedNode find(String path) {
        SimulatedNode node = root;
        if (!path.isEmpty()) {
            for (String name : path.split("/")) {
                node = node instanceof SimulatedDirectory directory ? directory.cached.get(name) : null;
            }
        }
        return node;
    }

    void link(SimulatedDirectory directory, String name, SimulatedNode node) {
        change(new Change(List.of(new Slot(new Place(directory, name), node))));
    }

    void unlink(SimulatedDirectory directory, String name) {
        change(new Change(List.of(new Slot(new Place(directory, name), null))));
    }

    void rename(SimulatedDirectory from, String name, SimulatedDirectory to, String newName) {
        SimulatedNode node = from.cached.get(name);
        if (from != to || !name.equals(newName)) {
            change(new Change(List.of(new Slot(new Place(to, newName), node), new Slot(new Place(from, name), null))));
        }
    }

    void force(SimulatedDirectory directory) {
        carryToMedium(change -> change.directory() == directory);
    }

    /** A force that fails: some changes of the directory's names are on the medium, the others never will be. */
    void failForce(SimulatedDirectory directory, Randomness random) {
        carryToMedium(change -> change.directory() == directory && random.chance(0.5));
        pending.removeIf(change -> change.directory() == directory);
    }

    /** Power loss: some of the pending changes are on the medium; changes that only the running system saw are gone. */
    void crash(Randomness random) {
        double probability = switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1;
            default -> random.nextDouble();
        };
        if (random.chance(0.5)) {
            pending.subList((int) Math.round(probability * pending.size()), pending.size())
                    .clear();
            carryToMedium(change -> true);
        } else {
            carryToMedium(change -> random.chance(probability));
        }
        pending.clear();
        forgetCache(root);
        forEachFile(root, inode -> inode.crash(random));
    }

    /** The system needs its memory. */
    void forgetCleanPages() {
        forEachFile(root, SimulatedInode::forgetCleanPages);
    }

    /** All files in the order of their names, without those of a name. */
    List<SimulatedInode> filesWithout(String without) {
        List<SimulatedInode> files = new ArrayList<>();
        forEachFile(root, files::add);
        if (root.cached.get(without) instanceof SimulatedInode inode) {
            files.remove(inode);
        }
        return files;
    }

    /** The sizes of all files together. */
    long usedBytes() {
        long[] used = {0};
        forEachFile(root, inode -> used[0] += inode.size());
        return used[0];
    }

    private void change(Change change) {
        for (Slot slot : change.slots()) {
            SimulatedDirectory directory = slot.place().directory();
            if (slot.node() == null) {
                directory.cached.remove(slot.place().name());
            } else {
                directory.cached.put(slot.place().name(), slot.node());
            }
        }
        pending.add(change);
    }

    /** Carries the chosen changes to the medium, with all earlier ones of the same names. */
    private void carryToMedium(Predicate<Change> chosen) {
        Set<Place> needed = new HashSet<>();
        boolean[] carried = new boolean[pending.size()];
        for (int i = pending.size() - 1; i >= 0; i--) {
            List<Slot> slots = pending.get(i).slots();
            carried[i] = slots.stream().anyMatch(slot -> needed.contains(slot.place()));
            carried[i] |= chosen.test(pending.get(i));
            if (carried[i]) {
                slots.forEach(slot -> needed.add(slot.place()));
            }
        }
        List<Change> left = new ArrayList<>();
        for (int i = 0; i < carried.length; i++) {
            if (carried[i]) {
                applyToMedium(pending.get(i));
            } else {
                left.add(pending.get(i));
            }
        }
        pending.clear();
        pending.addAll(left);
    }

    private static void applyToMedium(Change change) {
        for (Slot slot : change.slots()) {
            SimulatedDirectory directory = slot.place().directory();
            if (slot.node() == null) {
                directory.durable.remove(slot.place().name());
            } else {
                directory.durable.put(slot.place().name(), slot.node());
            }
        }
    }

    private static void forgetCache(SimulatedDirectory directory) {
        directory.cached.clear();
        directory.cached.putAll(directory.durable);
        for (SimulatedNode node : directory.cached.values()) {
            if (node instanceof SimulatedDirectory child) {
                forgetCache(child);
            }
        }
    }

    private static void forEachFile(SimulatedDirectory directory, Consumer<SimulatedInode> action) {
        for (SimulatedNode node : directory.cached.values()) {
            switch (node) {
                case SimulatedInode inode -> action.accept(inode);
                case SimulatedDirectory child -> forEachFile(child, action);
            }
        }
    }
}
