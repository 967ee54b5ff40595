package io.reprise.runtime.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

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
    private static final int SHARED_NORESERVE = 0x01 | 0x4000;
    private static final int IN_PLACE = 0x10;
    private static final long FAILED = -1;

    /** A kind of {@link #memoryFile}. */
    static final int ORDINARY_MEMORY = 0;

    /** A kind of {@link #memoryFile}: of the system's reserved huge pages, 2 MiB each. */
    static final int RESERVED_HUGE_PAGES = 0x4 | 21 << 26;

    private static final int CLOSE_ON_EXEC = 0x1;

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

    /** Missing in C libraries from before 2018. */
    private static final Optional<MethodHandle> MEMFD_CREATE = LINKER.defaultLookup()
            .find("memfd_create")
            .map(symbol -> LINKER.downcallHandle(
                    symbol, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT)));

    private static final MethodHandle FALLOCATE = handle(
            "fallocate",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG));
    private static final MethodHandle CLOSE =
            handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
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
        long address = mmap(0, bytes, PRIVATE_ANONYMOUS_NORESERVE, -1);
        return address == FAILED ? 0 : address;
    }

    /** Makes a range that is mapped what it was at first: without memory, zeros when it is touched. Returns whether it is. */
    static boolean mapAgain(long address, long bytes) {
        return mmap(address, bytes, PRIVATE_ANONYMOUS_NORESERVE | IN_PLACE, -1) != FAILED;
    }

    /** Puts what is in a file under a range that is mapped. Returns whether it is there. */
    static boolean mapFile(long address, long bytes, int file) {
        return mmap(address, bytes, SHARED_NORESERVE | IN_PLACE, file) != FAILED;
    }

    private static long mmap(long address, long bytes, int flags, int file) {
        try {
            return (long) MMAP.invokeExact(address, bytes, READ_WRITE, flags, file, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("mmap can't be called", e);
        }
    }

    /** Opens a file that lies in memory and has no name. Returns its number, or -1 when refused. */
    static int memoryFile(int kind) {
        if (MEMFD_CREATE.isEmpty()) {
            return -1;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom("reprise-tables");
            return (int) MEMFD_CREATE.get().invokeExact(name, CLOSE_ON_EXEC | kind);
        } catch (Throwable e) {
            throw new IllegalStateException("memfd_create can't be called", e);
        }
    }

    /** Has memory made, filled with zeros, for a file's first bytes. Returns whether it is there. */
    static boolean allocate(int file, long bytes) {
        try {
            int result = (int) FALLOCATE.invokeExact(file, 0, 0L, bytes);
            return result == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("fallocate can't be called", e);
        }
    }

    /** Closes a file. Its mappings stay until they are unmapped. */
    static void close(int file) {
        try {
            int _ = (int) CLOSE.invokeExact(file);
        } catch (Throwable e) {
            throw new IllegalStateException("close can't be called", e);
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
