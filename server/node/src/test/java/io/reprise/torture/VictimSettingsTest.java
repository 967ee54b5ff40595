package io.reprise.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.Compression;
import io.reprise.runtime.SeededRandomness;
import io.reprise.torture.VictimSettings.Trait;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Processes differ in all that they can differ in. */
final class VictimSettingsTest {
    private static final int DRAWN = 200;

    private static List<VictimSettings> many() {
        SeededRandomness random = new SeededRandomness(1);
        SeededRandomness ofRecovery = new SeededRandomness(2);
        return IntStream.range(0, DRAWN)
                .mapToObj(i -> VictimSettings.any(random, ofRecovery, LoggingMethod.COMMAND))
                .toList();
    }

    @Test
    void shouldHaveEachTraitAndEachCompressionInSomeAndNotInOthers() {
        List<VictimSettings> settings = many();

        for (Trait trait : Trait.values()) {
            long count = settings.stream().filter(of -> of.has(trait)).count();
            assertThat(count).as("%s", trait).isBetween(DRAWN / 6L, DRAWN / 2L);
        }
        Set<Compression> compressions = EnumSet.noneOf(Compression.class);
        Set<Integer> partitions = new HashSet<>();
        settings.forEach(of -> {
            compressions.add(of.compression());
            partitions.add(of.partitions());
        });
        assertThat(compressions).containsExactly(Compression.values());
        assertThat(partitions).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void shouldBeTheSameInTheProcessThatIsToldThem() {
        for (VictimSettings settings : many()) {
            VictimSettings told = VictimSettings.parse(settings.toString());

            assertThat(told).isEqualTo(settings);
            assertThat(told.durability()).isEqualTo(settings.durability());
        }
    }
}
