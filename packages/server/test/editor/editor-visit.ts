// A visit to the real editor: a page that is signed in, everything that it asks for, and the few things that people do with it,
// done with mouse and keyboard. Where nodes are on the canvas is asked of the editor itself.
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { until } from "../support/server-process.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface EditorVisit {
  readonly page: Page;
  readonly asked: readonly Asked[];
  // Script errors, and requests to other hosts that were not stopped by the policy.
  readonly complaints: readonly string[];
  started(): Promise<void>;
  add(className: string, x: number, y: number): Promise<void>;
  // Without the search, which knows classes by the names that people read.
  create(className: string): Promise<void>;
  connect(from: string, to: string): Promise<void>;
  setWidget(className: string, widget: string, value: number | string): Promise<void>;
  run(): Promise<void>;
  // Waits until the canvas shows such a text that it did not show before `change`.
  drawnAfter(change: () => Promise<void>, text: RegExp): Promise<string>;
  picture(name: string): Promise<void>;
}

const readyText = `window.app?.extensionManager && !window.app.extensionManager.spinner
  && window.app.extensionManager.workflow.activeWorkflow`;

// What is on a canvas is not in the document: note what is drawn there.
const noteTexts = `(() => {
  const draw = CanvasRenderingContext2D.prototype.fillText;
  window.drawn = new Set();
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.drawn.add(String(text));
    return draw.call(this, text, ...rest);
  };
})()`;

export async function visitEditor(context: BrowserContext, origin: string): Promise<EditorVisit> {
  const page = await context.newPage();
  await page.addInitScript({ content: noteTexts });
  const asked: Asked[] = [];
  const complaints: string[] = [];
  page.on("response", (response) => {
    const { pathname, search, protocol } = new URL(response.url());
    const path = pathname.replace(/^\/editor\/[0-9a-f-]{36}/, "~") + search;
    if (protocol.startsWith("http"))
      asked.push({ method: response.request().method(), path, status: response.status() });
  });
  page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`));
  page.on("requestfinished", (request) => {
    const { origin: to, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && to !== origin) complaints.push(`foreign request: ${request.url()}`);
  });
  const slot = (className: string, side: "getOutputPos" | "getInputPos"): Promise<[number, number]> =>
    page.evaluate(`(() => {
      const { canvas, graph } = window.app;
      const node = graph.nodes.find(({ type }) => type === ${JSON.stringify(className)});
      const [x, y] = node.${side}(0);
      const { left, top } = canvas.canvas.getBoundingClientRect();
      return [(x + canvas.ds.offset[0]) * canvas.ds.scale + left, (y + canvas.ds.offset[1]) * canvas.ds.scale + top];
    })()`);
  return {
    page,
    asked,
    complaints,
    started: async () => void (await holds(page, readyText)),
    async add(className, x, y) {
      const before = await countOf(page, "nodes");
      await choose(page, className, x, y);
      await holds(page, `window.app.graph.nodes.length === ${before + 1}`);
      // It follows the pointer until a click places it, which must not hit the list that closes.
      await page.mouse.move(x + 5, y + 5);
      await holds(page, isCanvasAt(x, y));
      await holds(page, "window.app.canvas.state.ghostNodeId != null");
      await page.mouse.click(x, y);
      await holds(page, "window.app.canvas.state.ghostNodeId == null");
      // On a slow machine it lags behind the pointer.
      await page.evaluate(`(() => {
        const { canvas, graph } = window.app;
        const { left, top } = canvas.canvas.getBoundingClientRect();
        const at = canvas.ds.convertCanvasToOffset([${x} - left, ${y} - top]);
        graph.nodes.at(-1).pos = [at[0] - 50, at[1]];
        canvas.setDirty(true, true);
      })()`);
    },
    async create(className) {
      await page.evaluate(`(() => {
        const node = window.LiteGraph.createNode(${JSON.stringify(className)});
        node.pos = [300, 300];
        window.app.graph.add(node);
      })()`);
    },
    async connect(from, to) {
      const before = await countOf(page, "links");
      const [start, end] = [await slot(from, "getOutputPos"), await slot(to, "getInputPos")];
      await page.mouse.move(...start);
      await page.mouse.down();
      await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, { steps: 4 });
      await page.mouse.move(...end, { steps: 4 });
      await page.mouse.up();
      await holds(page, `[...window.app.graph.links.values()].length === ${before + 1}`);
    },
    async setWidget(className, widget, value) {
      const set = await page.evaluate(`(() => {
        const node = window.app.graph.nodes.find(({ type }) => type === ${JSON.stringify(className)});
        const found = node?.widgets.find(({ name }) => name === ${JSON.stringify(widget)});
        if (!found) return false;
        found.value = ${JSON.stringify(value)};
        found.callback?.(found.value);
        window.app.canvas.setDirty(true, true);
        return true;
      })()`);
      assert.equal(set, true, `${className}.${widget}`);
    },
    run: () => page.getByRole("button", { name: "Run", exact: true }).first().click(),
    async drawnAfter(change, text) {
      const matching = `[...window.drawn].filter((text) => ${text}.test(text))`;
      const before = await page.evaluate<string[]>(
        `(() => { const old = ${matching}; window.drawn.clear(); return old; })()`,
      );
      await change();
      const isNew = `${matching}.find((text) => !${JSON.stringify(before)}.includes(text))`;
      await holds(page, isNew);
      return page.evaluate<string>(isNew);
    },
    async picture(name) {
      const folder = process.env["ATELIER_TEST_PICTURES"];
      if (folder) await page.screenshot({ path: `${folder}/editor-${name}.png`, animations: "disabled" });
    },
  };
}

const spaced = (className: string): RegExp => new RegExp(`^${className.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ?")}$`);

// Under the editor's policy the page evaluates no text itself, so we ask again and again from outside.
export function holds(page: Page, expression: string): Promise<true> {
  return until(
    expression,
    async () => (await page.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) || null,
  );
}

export async function countOf(page: Page, what: "nodes" | "links"): Promise<number> {
  return page.evaluate<number>(`[...window.app.graph.${what}.values()].length`);
}

const isCanvasAt = (x: number, y: number): string => `document.elementFromPoint(${x}, ${y})?.tagName === "CANVAS"`;

// From the list that a double click opens. The list lags behind the typing, and Enter would take its first line.
async function choose(page: Page, className: string, x: number, y: number): Promise<void> {
  // Messages and panels come and go above the canvas.
  await holds(page, isCanvasAt(x, y));
  const field = page.getByRole("dialog").getByRole("combobox");
  // On a slow machine a double click can be two clicks.
  await until("the search for classes", async () => {
    await page.mouse.dblclick(x, y);
    return field.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => page.keyboard.press("Escape").then(() => null),
    );
  });
  await field.fill(className);
  const title = page.getByText(className, { exact: true }).or(page.getByText(spaced(className), { exact: true }));
  await page.getByRole("option").filter({ has: title }).first().click();
}
