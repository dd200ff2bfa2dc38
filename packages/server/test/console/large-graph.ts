// A graph of 500 nodes, panned by hand, as the test and the benchmark of it measure.
import assert from "node:assert/strict";
import { noisyGraph } from "./jobs.pages.ts";
import type { Visit } from "./scene.ts";
import { threadTimeOf } from "./thread-time.ts";

export const graphNodes = 500;
// 50 frames a second.
export const frameMsMax = 20;

export interface Panned {
  // What the page's thread used for each frame that it drew, however busy the machine is.
  readonly threadMsPerFrame: number;
  readonly framesPerSecond: number;
  readonly nodesInDocument: number;
}

const moves = 150;

export async function panGraph(visit: Visit): Promise<Panned> {
  const { page } = visit;
  await visit.open("/console/workflows");
  const buffer = Buffer.from(JSON.stringify(largeGraph()));
  await page.getByLabel("Workflow file").setInputFiles({ name: "large.json", mimeType: "application/json", buffer });
  await page.locator("[data-node]").first().waitFor();
  const box = (await page.locator(".react-flow__pane").boundingBox()) ?? assert.fail("the graph is drawn");
  const [x, y] = [box.x + box.width - 30, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(`{
    window.panned = { frames: 0, begun: performance.now() };
    const look = () => { window.panned.frames++; requestAnimationFrame(look); };
    requestAnimationFrame(look);
  }`);
  const { ms } = await threadTimeOf(visit, async () => {
    for (let move = 1; move <= moves; move++)
      await page.mouse.move(x - ((move * 4) % (box.width - 60)), y + 40 * Math.sin(move / 9));
  });
  const { frames, seconds } = await page.evaluate<{ frames: number; seconds: number }>(
    "({ frames: panned.frames, seconds: (performance.now() - panned.begun) / 1_000 })",
  );
  await page.mouse.up();
  const nodesInDocument = await page.locator("[data-node]").count();
  return { threadMsPerFrame: ms / frames, framesPerSecond: frames / seconds, nodesInDocument };
}

// Chains of five beside each other, each with a picture at its end.
export function largeGraph() {
  const chain = Object.entries(noisyGraph(1));
  return Object.fromEntries(
    Array.from({ length: graphNodes / chain.length }, (_, at) => at).flatMap((at) =>
      chain.map(([id, node]) => [`${at}-${id}`, { ...node, inputs: renamed(node.inputs, at) }]),
    ),
  );
}

const renamed = (inputs: Readonly<Record<string, unknown>>, at: number) =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      Array.isArray(value) ? [`${at}-${value[0]}`, value[1]] : value,
    ]),
  );
