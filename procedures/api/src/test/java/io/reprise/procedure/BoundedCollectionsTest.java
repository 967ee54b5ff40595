package io.reprise.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JdkObsolete") // Procedures may use a LinkedList.
final class BoundedCollectionsTest {
    private static final int MANY = 100_000;

    /** A linked list that counts walks to a position. */
    private static final class CountingList extends LinkedList<Integer> {
        private int walks;

        CountingList(Collection<Integer> elements) {
            super(elements);
        }

        @Override
        public ListIterator<Integer> listIterator(int index) {
            walks++;
            return super.listIterator(index);
        }
    }

    @Test
    void shouldNotWalkToEachPositionOfALinkedList() {
        List<Integer> numbers = IntStream.range(0, MANY).boxed().toList();
        CountingList list = new CountingList(numbers);
        List<Integer> last = new LinkedList<>(List.of(MANY - 2, MANY - 1));
        List<Integer> first = new LinkedList<>(List.of(0, 1));
        List<Integer> none = new LinkedList<>(List.of(1, 0));

        assertThat(BoundedCollections.indexOfSubList(list, last)).isEqualTo(MANY - 2);
        assertThat(BoundedCollections.lastIndexOfSubList(list, first)).isZero();
        assertThat(BoundedCollections.indexOfSubList(list, none)).isEqualTo(-1);
        assertThat(BoundedCollections.lastIndexOfSubList(list, none)).isEqualTo(-1);
        assertThat(list.walks).isLessThan(10);
    }
}
