package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BitGatheringTest {
    @ParameterizedTest
    @CsvSource({
        "GenuineIntel,  6, fpu bmi1 bmi2 avx2, true",
        "GenuineIntel,  6, fpu bmi1 avx2,      false",
        "AuthenticAMD, 23, fpu bmi1 bmi2 avx2, false",
        "AuthenticAMD, 25, fpu bmi1 bmi2 avx2, true",
        "AuthenticAMD, 26, fpu bmi2,           true",
        "AuthenticAMD, ??, fpu bmi2,           false",
    })
    void shouldTakeProcessorsForFastThatAre(String vendor, String family, String flags, boolean fast) {
        List<String> info = List.of(
                "processor\t: 0",
                "vendor_id\t: " + vendor,
                "cpu family\t: " + family,
                "model name\t: a processor: with a colon",
                "",
                "flags\t\t: " + flags);

        assertThat(BitGathering.isFast(info)).isEqualTo(fast);
    }

    @ParameterizedTest
    @CsvSource({"Features\t: fp asimd sve2", "'',"})
    void shouldNotTakeOthersForFast(String line) {
        assertThat(BitGathering.isFast(line == null ? List.of() : List.of(line)))
                .isFalse();
    }
}
