package io.reprise.layering;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The largest circle of classes in each package: classes each of which reaches each other by dependencies within the
 * package. A nested class counts as its outermost one.
 */
public final class Knots {
    /** Up to so many classes may know each other anywhere: a state and its owner, a builder and what it builds. */
    private static final int SMALL = 4;

    private final SortedMap<String, SortedMap<String, SortedSet<String>>> packages = new TreeMap<>();

    /** The circles of these classes. */
    public Knots(JavaClasses classes) {
        for (JavaClass type : classes) {
            String home = outermost(type).getFullName();
            SortedSet<String> known = packages.computeIfAbsent(type.getPackageName(), _ -> new TreeMap<>())
                    .computeIfAbsent(home, _ -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                JavaClass target = outermost(dependency.getTargetClass());
                if (target.getPackageName().equals(type.getPackageName())
                        && !target.getFullName().equals(home)) {
                    known.add(target.getFullName());
                }
            });
        }
    }

    private static JavaClass outermost(JavaClass type) {
        JavaClass outer = type.getBaseComponentType();
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }

    /** The packages whose largest circle has more than a third of their classes, with these. */
    public SortedMap<String, List<String>> tooLarge() {
        SortedMap<String, List<String>> found = new TreeMap<>();
        packages.forEach((name, classes) -> {
            List<String> circle = largestCircle(classes);
            int explained = classes.containsKey(name + ".package-info") ? 1 : 0;
            if (circle.size() > SMALL && 3 * circle.size() > classes.size() - explained) {
                found.put(name, circle);
            }
        });
        return found;
    }

    private static List<String> largestCircle(SortedMap<String, SortedSet<String>> classes) {
        Map<String, Set<String>> reached = new HashMap<>();
        classes.keySet().forEach(name -> reached.put(name, reach(name, classes)));
        List<List<String>> circles = new ArrayList<>();
        for (String name : classes.keySet()) {
            List<String> circle = reached.get(name).stream()
                    .filter(other -> reached.get(other).contains(name))
                    .sorted()
                    .toList();
            circles.add(circle);
        }
        return circles.stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
    }

    private static Set<String> reach(String from, SortedMap<String, SortedSet<String>> classes) {
        Set<String> seen = new HashSet<>(Set.of(from));
        ArrayDeque<String> next = new ArrayDeque<>(seen);
        while (!next.isEmpty()) {
            for (String known : classes.get(next.remove())) {
                if (classes.containsKey(known) && seen.add(known)) {
                    next.add(known);
                }
            }
        }
        return seen;
    }
}
