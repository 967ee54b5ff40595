package io.reprise.procedure;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;

/**
 * Stands in for methods of the JDK's collections whose time grows with the product of two sizes: they do the same, and look at {@link
 * LoopGuard} for each element. A search of one collection takes a time that grows with its size alone, so it is guarded only where a
 * reference to it is handed to the JDK, which may call it for each element of another one. At deployment a procedure's calls are woven to
 * these. The receiver of the original call is the first parameter. Application code never names this class.
 */
public final class BoundedCollections {
    /** Comparisons that take no more than some milliseconds. */
    private static final long COMPARISONS = 1 << 16;

    private BoundedCollections() {}

    /** A collection that the JDK can't look through for ever. */
    private static final class Guarded extends AbstractCollection<Object> {
        private final Collection<?> elements;

        Guarded(Collection<?> elements) {
            this.elements = elements;
        }

        @Override
        public int size() {
            return elements.size();
        }

        @Override
        public boolean contains(Object element) {
            LoopGuard.check();
            return elements.contains(element);
        }

        @Override
        public Iterator<Object> iterator() {
            Iterator<?> each = elements.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return each.hasNext();
                }

                @Override
                public Object next() {
                    LoopGuard.check();
                    return each.next();
                }
            };
        }
    }

    /** For {@link Collection#removeAll}. */
    public static boolean removeAll(Collection<?> from, Collection<?> elements) {
        return from.removeAll(guarded("removeAll", from, elements));
    }

    /** For {@link Collection#retainAll}. */
    public static boolean retainAll(Collection<?> in, Collection<?> elements) {
        return in.retainAll(guarded("retainAll", in, elements));
    }

    /** For {@link Collection#containsAll}. */
    public static boolean containsAll(Collection<?> in, Collection<?> elements) {
        return in.containsAll(guarded("containsAll", in, elements));
    }

    /** The argument of a method of the JDK for two collections that is called by {@code super}: no stand-in can call it. */
    public static Collection<?> guarded(Collection<?> elements) {
        return elements == null ? null : new Guarded(elements);
    }

    /** The second of two collections, guarded if they are large. A method of the procedure's own gets what it was called with. */
    private static Collection<?> guarded(String method, Collection<?> receiver, Collection<?> elements) {
        return elements == null || isSmall(receiver, elements) || isOwn(method, receiver)
                ? elements
                : new Guarded(elements);
    }

    /** Whether the JDK does not have the method: a class of the procedure overrides it. */
    private static boolean isOwn(String method, Collection<?> receiver) {
        try {
            return receiver.getClass().getClassLoader() != null
                    && receiver.getClass()
                                    .getMethod(method, Collection.class)
                                    .getDeclaringClass()
                                    .getClassLoader()
                            != null;
        } catch (NoSuchMethodException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static boolean isSmall(Collection<?> one, Collection<?> other) {
        return (long) one.size() * other.size() <= COMPARISONS;
    }

    /** For {@link Collections#disjoint}. A set is not searched element by element. */
    public static boolean disjoint(Collection<?> one, Collection<?> other) {
        boolean isFast = one instanceof Set || other instanceof Set;
        return isFast || isSmall(one, other)
                ? Collections.disjoint(one, other)
                : Collections.disjoint(new Guarded(one), new Guarded(other));
    }

    /** For {@link Collections#indexOfSubList}. */
    public static int indexOfSubList(List<?> list, List<?> part) {
        if (isSmall(list, part)) {
            return Collections.indexOfSubList(list, part);
        }
        List<?> searched = withPositions(list);
        for (int at = 0; at <= searched.size() - part.size(); at++) {
            if (isAt(searched, at, part)) {
                return at;
            }
        }
        return -1;
    }

    /** For {@link Collections#lastIndexOfSubList}. */
    public static int lastIndexOfSubList(List<?> list, List<?> part) {
        if (isSmall(list, part)) {
            return Collections.lastIndexOfSubList(list, part);
        }
        List<?> searched = withPositions(list);
        for (int at = searched.size() - part.size(); at >= 0; at--) {
            if (isAt(searched, at, part)) {
                return at;
            }
        }
        return -1;
    }

    /** A list with these elements that finds a position at once. A linked list goes there element by element. */
    private static List<?> withPositions(List<?> list) {
        return list instanceof RandomAccess ? list : new ArrayList<>(list);
    }

    private static boolean isAt(List<?> list, int at, List<?> part) {
        Iterator<?> there = list.listIterator(at);
        for (Object element : part) {
            LoopGuard.check();
            if (!Objects.equals(element, there.next())) {
                return false;
            }
        }
        return true;
    }

    /** For a reference to {@link Collection#contains}. */
    public static boolean contains(Collection<?> in, Object element) {
        LoopGuard.check();
        return in.contains(element);
    }

    /** For a reference to {@link Collection#remove}. */
    public static boolean remove(Collection<?> from, Object element) {
        LoopGuard.check();
        return from.remove(element);
    }

    /** For a reference to {@link List#indexOf}. */
    public static int indexOf(List<?> in, Object element) {
        LoopGuard.check();
        return in.indexOf(element);
    }

    /** For a reference to {@link List#lastIndexOf}. */
    public static int lastIndexOf(List<?> in, Object element) {
        LoopGuard.check();
        return in.lastIndexOf(element);
    }

    /** For a reference to {@link Deque#removeFirstOccurrence}. */
    public static boolean removeFirstOccurrence(Deque<?> from, Object element) {
        LoopGuard.check();
        return from.removeFirstOccurrence(element);
    }

    /** For a reference to {@link Deque#removeLastOccurrence}. */
    public static boolean removeLastOccurrence(Deque<?> from, Object element) {
        LoopGuard.check();
        return from.removeLastOccurrence(element);
    }

    /** For a reference to {@link Map#containsValue}. */
    public static boolean containsValue(Map<?, ?> in, Object value) {
        LoopGuard.check();
        return in.containsValue(value);
    }
}
