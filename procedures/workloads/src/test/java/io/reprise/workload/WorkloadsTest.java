package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Text;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import io.reprise.workload.tatp.Tatp;
import io.reprise.workload.tatp.TatpOptions;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import io.reprise.workload.ycsb.Ycsb;
import io.reprise.workload.ycsb.YcsbOptions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every workload's schema, procedures and calls fit together. */
class WorkloadsTest {
    private static final Pattern FROM_CLASS =
            Pattern.compile("CREATE PROCEDURE ([^;]*?)FROM CLASS ([A-Za-z.]+);", Pattern.DOTALL);
    private static final Pattern PARAMETER = Pattern.compile("PARAMETER (\\d+)");

    static Stream<Workload> workloads() {
        List<Workload> workloads = new ArrayList<>(List.of(
                new Tpcc(TpccOptions.small(3)),
                new Smallbank(SmallbankOptions.uniform(100).withHotspot(10, 50)),
                new Voter(VoterOptions.STANDARD),
                new Tatp(TatpOptions.standard(50)),
                new Tatp(new TatpOptions(50, true, 1))));
        for (YcsbOptions.Mix mix : YcsbOptions.Mix.values()) {
            workloads.add(new Ycsb(YcsbOptions.standard(mix, 100)));
        }
        return workloads.stream();
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldDeclareExistingClassesWhenDdlIsRead(Workload workload) throws Exception {
        Map<String, Method> procedures = declared(workload);

        assertThat(procedures.keySet()).containsAll(workload.procedures());
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldRouteByExistingIntegerParametersWhenDdlIsRead(Workload workload) throws Exception {
        Matcher matcher = FROM_CLASS.matcher(workload.ddl());
        while (matcher.find()) {
            Method run = run(Class.forName(matcher.group(2)));
            Matcher parameter = PARAMETER.matcher(matcher.group(1));
            while (parameter.find()) {
                Class<?> type = run.getParameterTypes()[Integer.parseInt(parameter.group(1))];
                assertThat(type).isIn(short.class, int.class, long.class, int[].class, long[].class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldPassWhatTheProcedureTakesWhenCallsAreGenerated(Workload workload) throws Exception {
        Map<String, Method> procedures = declared(workload);
        CallRecorder calls = new CallRecorder(workload.generator(7, CallRecorder.evenAndOdd(), 1));

        for (int i = 0; i < 2_000; i++) {
            String name = workload.procedures().get(calls.next());
            Class<?>[] types = procedures.get(name).getParameterTypes();
            assertThat(calls.arguments()).as(name).isEqualTo(types.length);
            for (int p = 0; p < types.length; p++) {
                assertFits(name, types[p], calls.at(p));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldRepeatItselfWhenTheSeedIsTheSame(Workload workload) {
        List<String> calls = new CallRecorder(workload.generator(7, CallRecorder.evenAndOdd(), 0)).describeNext(500);

        assertThat(new CallRecorder(workload.generator(7, CallRecorder.evenAndOdd(), 0)).describeNext(500))
                .isEqualTo(calls);
        assertThat(new CallRecorder(workload.generator(8, CallRecorder.evenAndOdd(), 0)).describeNext(500))
                .isNotEqualTo(calls);
    }

    private static void assertFits(String procedure, Class<?> type, Object argument) {
        String what = procedure + " takes " + type + " but gets " + argument;
        if (argument == null) {
            assertThat(type).as(what).isEqualTo(Text.class);
        } else if (type.isArray()) {
            assertThat(argument).as(what).isInstanceOf(type);
        } else if (type == Text.class) {
            assertThat(argument).as(what).isInstanceOf(String.class);
        } else {
            long value = (Long) argument;
            int bits = type == byte.class ? 8 : type == short.class ? 16 : type == int.class ? 32 : 64;
            assertThat(value << (64 - bits) >> (64 - bits)).as(what).isEqualTo(value);
        }
    }

    private static Map<String, Method> declared(Workload workload) throws ClassNotFoundException {
        Map<String, Method> procedures = new LinkedHashMap<>();
        Matcher matcher = FROM_CLASS.matcher(workload.ddl());
        while (matcher.find()) {
            Class<?> type = Class.forName(matcher.group(2));
            assertThat(Procedure.class).isAssignableFrom(type);
            procedures.put(type.getSimpleName(), run(type));
        }
        return procedures;
    }

    private static Method run(Class<?> type) {
        List<Method> methods = Arrays.stream(type.getMethods())
                .filter(m -> m.getName().equals("run"))
                .toList();
        assertThat(methods).as(type.getName()).hasSize(1);
        return methods.getFirst();
    }
}
