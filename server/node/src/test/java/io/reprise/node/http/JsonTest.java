package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class JsonTest {
    @Test
    void shouldNestWhenObjectsAndListsAreOpened() {
        Json json = new Json()
                .object()
                .put("a", 1)
                .list("b")
                .object()
                .put("c", true)
                .endObject()
                .object()
                .endObject()
                .endList()
                .object("d")
                .endObject()
                .put("e", 0.5)
                .endObject();

        assertThat(json.toString()).isEqualTo("{\"a\":1,\"b\":[{\"c\":true},{}],\"d\":{},\"e\":0.5}");
    }

    @Test
    void shouldEscapeWhenTextHasWhatJsonAndBrowsersDoNotTake() {
        Json json = new Json().object().put("a\"", "x\\\n\r\t\u0001\u2028é").endObject();

        assertThat(json.toString()).isEqualTo("{\"a\\\"\":\"x\\\\\\n\\r\\t\\u0001\\u2028é\"}");
    }

    @Test
    void shouldWriteNullWhenANumberIsNotFinite() {
        assertThat(new Json().object().put("a", Double.NaN).endObject().toString())
                .isEqualTo("{\"a\":null}");
    }
}
