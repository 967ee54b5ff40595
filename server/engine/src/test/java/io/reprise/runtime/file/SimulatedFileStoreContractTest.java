package io.reprise.runtime.file;

import io.reprise.simulation.SimulatedFileStore;

class SimulatedFileStoreContractTest extends FileStoreContractTest {
    private SimulatedFileStore store;

    @Override
    FileStore createStore() {
        store = new SimulatedFileStore(1);
        return store;
    }

    @Override
    FileStore reopen() {
        return store.secondView();
    }
}
