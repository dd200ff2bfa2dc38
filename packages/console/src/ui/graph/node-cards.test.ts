// What a node shows as a card.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DescribedClass } from "@atelier/sdk";
import type { Graph } from "../../api/graphs.ts";
import { boxOf, layoutOf, readableZoom, startOf } from "./graph-layout.ts";
import { type CardOptions, cardsOf, cardWidth, colourOf } from "./node-cards.ts";

const output = (type: string) => ({ name: type, type, is_list: false });
const described = (name: string, outputs: readonly string[]) =>
  ({ name, inputs: [], outputs: outputs.map(output) }) as unknown as DescribedClass;
const options: CardOptions = {
  classes: new Map([["Paint", described("Paint", ["IMAGE", "MASK"])]]),
  hasPicture: (id) => id === "2",
  hasFoot: () => false,
};
const graph: Graph = {
  "1": {
    class_type: "Paint",
    inputs: {
      color: 3,
      seed: 9_007_199_254_740_993n,
      prompt: "a very long prompt about a lighthouse",
      steps: 4,
      a: 1,
      b: 2,
    },
  },
  "2": { class_type: "Unknown", inputs: { image: ["1", 0], mask: ["1", 1] }, _meta: { title: "Frame" } },
  "3": { class_type: "Save", inputs: { images: ["2", 2] } },
};

describe("the card of a node", () => {
  const cards = cardsOf(graph, options);

  test("shows what people change first, a prompt over several lines, an integer with all digits, and how many are left", () => {
    const { values, more } = cards.get("1") ?? assert.fail();
    assert.deepEqual(
      values.map(({ name, text, isLong }) => [name, text, isLong]),
      [
        ["prompt", "a very long prompt about a lighthouse", true],
        ["seed", "9007199254740993", false],
        ["steps", "4", false],
        ["color", "3", false],
        ["a", "1", false],
      ],
    );
    assert.equal(more, 1);
  });

  test("shows a colour as people write it", () => {
    const color = { name: "color", type: "INT", is_color: true, min: 0, max: 0xffffff };
    const classes = new Map([["Paint", { name: "Paint", inputs: [color], outputs: [] } as unknown as DescribedClass]]);
    const inputs = { color: 0x00_80_ff };
    const { values } =
      cardsOf({ "1": { class_type: "Paint", inputs } }, { ...options, classes }).get("1") ?? assert.fail();
    assert.deepEqual(values, [{ name: "color", text: "#0080ff", isLong: false, isColor: true }]);
  });

  test("names the type of each link; of an unknown class, only the outputs that others use", () => {
    const { inputs, outputs, title } = cards.get("2") ?? assert.fail();
    assert.equal(title, "Frame");
    assert.deepEqual(
      inputs.map(({ name, type }) => [name, type]),
      [
        ["image", "IMAGE"],
        ["mask", "MASK"],
      ],
    );
    assert.deepEqual(
      outputs.map(({ name, type }) => [name, type]),
      [
        ["0", null],
        ["1", null],
        ["2", null],
      ],
    );
    assert.notEqual(colourOf("IMAGE"), colourOf("MASK"));
    assert.equal(colourOf("SOMETHING"), colourOf("SOMETHING"));
  });

  test("is as high as what it shows, so that no two overlap", () => {
    const sizeOf = (id: string) => ({ width: cardWidth, height: cards.get(id)?.height ?? 0 });
    assert.ok(sizeOf("2").height > sizeOf("3").height, "a picture takes room");
    const placed = [
      ...layoutOf(
        graph,
        new Map([
          ["1", { x: 0, y: 0 }],
          ["2", { x: 0, y: 20 }],
          ["3", { x: 9, y: 40 }],
        ]),
        "LR",
        sizeOf,
      ),
    ];
    for (const [at, [one, from]] of placed.entries())
      for (const [other, to] of placed.slice(at + 1)) {
        const [upper, lower] = from.y < to.y ? [one, to.y - from.y] : [other, from.y - to.y];
        assert.ok(Math.abs(from.x - to.x) >= cardWidth || lower >= sizeOf(upper).height, `${one} and ${other}`);
      }
  });
});

describe("the first look at a graph", () => {
  const view = { width: 800, height: 600 };
  const first = { x: 0, y: 300, width: 252, height: 100 };

  test("shows all of it in the middle if that is readable", () => {
    const start = startOf({ x: 0, y: 0, width: 700, height: 400 }, first, view);
    assert.ok(start.zoom >= readableZoom);
    assert.equal(Math.round(start.x + 350 * start.zoom), 400);
    assert.equal(Math.round(start.y + 200 * start.zoom), 300);
  });

  test("never gets smaller than readable: it begins at the first node, within the graph's edges", () => {
    const large = { x: 0, y: 0, width: 40_000, height: 9_000 };
    const start = startOf(large, first, view);
    assert.equal(start.zoom, readableZoom);
    const left = first.x * start.zoom + start.x;
    const top = first.y * start.zoom + start.y;
    assert.ok(left >= 0 && left + first.width * start.zoom <= view.width, `the first node is at ${left}`);
    assert.ok(top >= 0 && top + first.height * start.zoom <= view.height, `the first node is at ${top}`);
    const last = startOf(large, { ...first, x: 39_748, y: 8_900 }, view);
    assert.ok(40_000 * last.zoom + last.x <= view.width, "not beyond the end");
  });

  test("of a graph without nodes is a box all the same", () => {
    assert.deepEqual(boxOf(new Map()), { x: 0, y: 0, width: 1, height: 1 });
  });
});
