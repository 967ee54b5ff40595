package io.reprise.benchmark.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.benchmark.plot.LinePlot.Axis;
import io.reprise.benchmark.plot.LinePlot.Scale;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class LinePlotTest {
    @Test
    void shouldDrawALineThroughThePointsOfEachName() throws Exception {
        LinePlot plot = new LinePlot("a < b", new Axis("x", Scale.LINEAR), new Axis("y", Scale.LINEAR))
                .add("one", 0, 0)
                .add("one", 10, 100)
                .add("other", 5, 50);

        Document drawing = parse(plot.render());

        assertThat(drawing.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(drawing.getElementsByTagName("circle").getLength()).isEqualTo(3);
        assertThat(drawing.getDocumentElement().getTextContent()).contains("a < b", "one", "other");
    }

    @Test
    void shouldPutDecadesAtEqualDistancesWhenAnAxisIsLogarithmic() throws Exception {
        LinePlot plot = new LinePlot("t", new Axis("x", Scale.LOGARITHMIC), new Axis("y", Scale.LINEAR))
                .add("line", 1, 1)
                .add("line", 10, 1)
                .add("line", 100, 1);

        var points = parse(plot.render()).getElementsByTagName("circle");

        double[] x = new double[3];
        for (int i = 0; i < x.length; i++) {
            x[i] = Double.parseDouble(
                    points.item(i).getAttributes().getNamedItem("cx").getNodeValue());
        }
        assertThat(x[1] - x[0]).isPositive().isEqualTo(x[2] - x[1]);
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}
