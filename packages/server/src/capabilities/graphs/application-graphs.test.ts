import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInClasses, describeClasses } from "@atelier/engine";
import { Fault } from "../../foundation/fault.ts";
import { type ApplicationState, readObjectInfo } from "../applications/index.ts";
import { applicationGraphs } from "./application-graphs.ts";
import { engineGraphs } from "./engine-graphs.ts";

const classes = readObjectInfo(JSON.parse(JSON.stringify(describeClasses(builtInClasses, ["there.png"]))));

function graphsOf(state: ApplicationState, known = classes) {
  const application = {
    refreshes: 0,
    state: () => state,
    classes: () => known,
    refreshClasses: () => void application.refreshes++,
  };
  return { application, graphs: applicationGraphs(application) };
}

const picture = {
  "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "a" } },
};
const isUnreachable = (error: unknown) =>
  error instanceof Fault &&
  error.code === "upstream_unreachable" &&
  error.status === 503 &&
  error.retryAfterSeconds === 2;

test("a graph is judged by the application's classes, and what loads files is known from them", () => {
  const { graphs } = graphsOf("up");
  assert.equal(graphs.check(picture).ok, true);
  assert.deepEqual(graphs.fileInputs("LoadImage"), ["image"]);
  assert.deepEqual(graphs.fileInputs("SaveImage"), []);
  assert.deepEqual(graphs.fileInputs("constructor"), []);
});

test("an unknown class is refused with its node, and the lists are read again for the next try", () => {
  const { graphs, application } = graphsOf("up");
  const verdict = graphs.check({ ...picture, "7": { class_type: "Nope", inputs: {} } });
  assert.deepEqual([verdict.ok, Object.keys(verdict.nodeErrors)], [false, ["7"]]);
  assert.equal(application.refreshes, 1);
});

test("an unknown class has a way on: the application's nodes, or the server where the class is the server's", () => {
  const { graphs } = graphsOf("up");
  assert.match(graphs.wayOn?.(["KSampler"]) ?? "", /application behind this proxy does not have them: install/);
  assert.match(
    graphs.wayOn?.(["AtelierModelImage"]) ?? "",
    /run on the server and on no application: submit the graph there\.$/,
  );
  const ofEngine = engineGraphs({ priceOf: () => null, served: () => [] }, "0.7");
  assert.match(
    ofEngine.wayOn?.(["KSampler"]) ?? "",
    /need no model weights .*docs\/WORKERS\.md.*docs\/SELF-HOSTED\.md/,
  );
});

test("while the application is away nothing is accepted, and the refusal says so", () => {
  for (const { graphs } of [graphsOf("down"), graphsOf("unknown", null), graphsOf("up", null)]) {
    assert.throws(() => graphs.check(picture), isUnreachable);
    assert.throws(() => graphs.fileInputs("LoadImage"), isUnreachable);
    assert.throws(() => graphs.classes(), isUnreachable);
  }
  assert.ok(graphsOf("unknown").graphs.check(picture).ok, "a connection that is just being renewed stops nobody");
  assert.equal(graphsOf("down").graphs.isEditorFormat({ nodes: [], links: [] }), true);
});

test("the application's own files are off limits unless the operator gives them to callers", () => {
  const load = { ...picture, "1": { class_type: "LoadImage", inputs: { image: "there.png" } } };
  const { application, graphs } = graphsOf("up");
  assert.equal(graphs.check(load).ok, false);
  assert.equal(applicationGraphs(application, { files: "application" }).check(load).ok, true);
});

test("an editor's graph is converted with the application's classes", () => {
  const { graphs } = graphsOf("up");
  const editor = {
    nodes: [
      { id: 1, type: "EmptyImage", inputs: [], outputs: [{ type: "IMAGE" }], widgets_values: [8, 8, 1, 0] },
      {
        id: 2,
        type: "SaveImage",
        inputs: [{ name: "images", type: "IMAGE", link: 1 }],
        outputs: [],
        widgets_values: ["a"],
      },
    ],
    links: [[1, 1, 0, 2, 0, "IMAGE"]],
  };
  const steps = graphs.convert(editor);
  let next = steps.next();
  while (next.done !== true) next = steps.next();
  const converted = next.value;
  assert.ok(converted.ok && graphs.check(converted.graph).ok);
});
