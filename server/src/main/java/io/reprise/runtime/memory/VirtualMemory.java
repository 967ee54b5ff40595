package io.reprise.runtime.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The operating system's calls for address space, as plain static methods over absolute addresses. */
final class VirtualMemory {
    /** Gives pages back; they read as zero afterwards. */
    static final int DONT_NEED = 4;

    /** Asks for huge pages when the range is touched. */
    static final int HUGE_PAGE = 14;

    /** Touches pages as if they were written to, without changing them; systems before Linux 5.14 refuse. */
    static final int POPULATE = 23;

    /** Makes huge pages of what has been touched already. */
    static final int COLLAPSE = 25;

    private static final int READ_WRITE = 0x1 | 0x2;
    private static final int PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
    private static final long FAILED = -1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle MMAP = handle(
            "mmap",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG));
    private static final MethodHandle MUNMAP =
            handle("munmap", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle MADVISE = handle(
            "madvise",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

    private VirtualMemory() {}

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }

    /** Maps address space without promising memory for it. Returns its address, or 0 when refused. */
    static long map(long bytes) {
        try {
            long address = (long) MMAP.invokeExact(0L, bytes, READ_WRITE, PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
            return address == FAILED ? 0 : address;
        } catch (Throwable e) {
            throw new IllegalStateException("mmap can't be called", e);
        }
    }

    /** Gives address space back. */
    static void unmap(long address, long bytes) {
        try {
            int result = (int) MUNMAP.invokeExact(address, bytes);
            if (result != 0) {
                throw new IllegalStateException("munmap of " + bytes + " bytes failed");
            }
        } catch (IllegalStateException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("munmap can't be called", e);
        }
    }

    /** Advises the kernel. Returns whether it agreed. */
    static boolean advise(long address, long bytes, int advice) {
        try {
            int result = (int) MADVISE.invokeExact(address, bytes, advice);
            return result == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("madvise can't be called", e);
        }
    }
}
