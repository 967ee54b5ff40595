package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class UnreadWritesTest {
    private static final String SOURCE = """
            public class Writes extends io.reprise.procedure.Procedure {
              private final io.reprise.procedure.Statement write = sql("UPDATE a SET b = ?");
              public long run(long n) {
                write.set(0, n).update();
                long count = write.update();
                for (int i = 0; i < n; i++) {
                  write.update();
                }
                if (write.update() == 0) {
                  write.update();
                }
                return count + write.update();
              }
            }
            """;

    @Test
    void shouldReplaceWritesWhoseCountIsDropped() {
        ProcedureClasses classes = new ProcedureClasses(ClassSource.jar(SourceCompiler.jar(Map.of("Writes", SOURCE))));

        byte[] woven = new LoopWeaver(classes).weave(classes.model("Writes").orElseThrow());

        List<String> writes = ClassFile.of().parse(woven).methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(CodeModel::elementStream)
                .filter(InvokeInstruction.class::isInstance)
                .map(InvokeInstruction.class::cast)
                .filter(call -> call.owner().asInternalName().equals("io/reprise/procedure/Statement"))
                .map(call -> call.name().stringValue())
                .filter(name -> !name.equals("set"))
                .toList();
        assertThat(writes).containsExactly("run", "update", "run", "update", "run", "update");
        assertThat(ClassFile.of().verify(woven)).isEmpty();
    }
}
