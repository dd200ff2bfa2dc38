// Runs some nodes of a prompt in the engine, one after the other, and reports them as they really begin and end. Test classes
// are not in the engine: they have already run here, so a link to one goes to the value it passes on.

import { readFile } from "node:fs/promises";
import {
  type EngineEvent,
  type EngineHost,
  type EngineOutput,
  type EnginePool,
  type Graph,
  HostRefusal,
} from "@atelier/engine";
import type { UiOutput } from "./history.ts";
import type { LightDeps } from "./light-nodes.ts";
import { linkedNodes, neededFor } from "./node-order.ts";
import { Interrupted, NodeFailure } from "./run-ending.ts";
import { handedOn, testClassNames } from "./test-classes.ts";

interface SegmentDeps extends LightDeps {
  readonly pool: EnginePool;
  // Results are reused within this scope.
  readonly scope: string;
  // Called before a node's start is reported, and after it has ended.
  readonly begins: (nodeId: string) => void;
  readonly ended: (nodeId: string, shown: UiOutput | null) => void;
}

// If only later nodes need a node, we request it with a probe: an extra output that is not reported.
const probeOf = (id: string) => `probe ${id}`;
const probed = (id: string) => (id.startsWith("probe ") ? id.slice("probe ".length) : id);

export async function runSegment(
  deps: SegmentDeps,
  prompt: { readonly id: string; readonly graph: Graph; readonly pngInfo: Readonly<Record<string, unknown>> | null },
  segment: readonly string[],
  outputs: ReadonlySet<string>,
): Promise<void> {
  const { graph, targets } = engineGraphOf(prompt.graph, segment, outputs);
  const host = new SegmentHost(deps, new Set(segment));
  const job = {
    id: prompt.id,
    graph,
    outputs: targets,
    cacheScope: deps.scope,
    ...(prompt.pngInfo === null ? {} : { pngInfo: prompt.pngInfo }),
  };
  const result = await deps.pool.run(job, host, deps.signal);
  await host.settled();
  if (result.status === "canceled" || deps.signal.aborted) throw new Interrupted();
  if (result.status === "succeeded") return;
  const { nodeId, code, message } = result.failure;
  const nodeAt = probed(nodeId ?? deps.announcer.currentNode ?? segment[0] ?? "");
  if (!deps.announcer.hasStarted(nodeAt)) deps.begins(nodeAt);
  throw new NodeFailure(nodeAt, code === "out_of_memory" ? "MemoryError" : "RuntimeError", `${message}\n`);
}

// A graph without test classes is passed on as submitted, because saved files will contain it.
export function engineGraphOf(
  submitted: Graph,
  segment: readonly string[],
  outputs: ReadonlySet<string>,
): { readonly graph: Graph; readonly targets: readonly string[] } {
  const wanted = segment.filter((id) => outputs.has(id));
  const used = new Set(segment.flatMap((id) => linkedNodes(submitted, id)));
  const frontier = segment.filter((id) => !outputs.has(id) && !used.has(id));
  const isPlain = !Object.values(submitted).some(({ class_type }) => testClassNames.has(class_type));
  if (isPlain && frontier.length === 0) return { graph: submitted, targets: wanted };
  const graph: Record<string, Graph[string]> = {};
  for (const id of neededFor(submitted, segment, () => false)) {
    const node = submitted[id];
    if (node && !testClassNames.has(node.class_type))
      graph[id] = { ...node, inputs: withoutTests(submitted, node.inputs) };
  }
  for (const id of frontier) graph[probeOf(id)] = { class_type: "PreviewAny", inputs: { source: [id, 0] } };
  return { graph, targets: [...wanted, ...frontier.map(probeOf)] };
}

function withoutTests(graph: Graph, inputs: Graph[string]["inputs"]): Graph[string]["inputs"] {
  const behind = (value: unknown): unknown => {
    let found = value;
    while (
      Array.isArray(found) &&
      typeof found[0] === "string" &&
      testClassNames.has(graph[found[0]]?.class_type ?? "")
    )
      found = graph[found[0]]?.inputs[handedOn(graph[found[0]]?.class_type ?? "")];
    return found;
  };
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, behind(value)]));
}

class SegmentHost implements EngineHost {
  readonly #deps: SegmentDeps;
  readonly #segment: ReadonlySet<string>;
  readonly #shown = new Map<string, Record<string, unknown[]>>();
  readonly #shownPictures = new Map<string, number>();
  // Events are reported one after the other, even if one of them takes time.
  #announcing: Promise<void> = Promise.resolve();

  constructor(deps: SegmentDeps, segment: ReadonlySet<string>) {
    this.#deps = deps;
    this.#segment = segment;
  }

  settled(): Promise<void> {
    return this.#announcing;
  }

  async readAsset(reference: Parameters<EngineHost["readAsset"]>[0]): Promise<{ readonly path: string }> {
    const path = reference.kind === "name" ? this.#deps.folders.path(reference.folder, "", reference.name) : null;
    if (path === null) throw new HostRefusal("There is no such file.");
    return { path };
  }

  callModel(): Promise<never> {
    return Promise.reject(new HostRefusal("This application cannot call models."));
  }

  async saveOutput(output: EngineOutput): Promise<void> {
    if (!this.#segment.has(output.nodeId)) return;
    if (output.folder === "shown") return this.#show(output);
    const shown = this.#shown.get(output.nodeId) ?? {};
    this.#shown.set(output.nodeId, shown);
    const show = (key: string, value: unknown) => {
      shown[key] = [...(shown[key] ?? []), value];
    };
    if (output.kind === "text") return show("text", await readFile(output.path, "utf8"));
    const file = await this.#deps.folders.save(output.folder, prefixOf(output), { path: output.path });
    if (!file) throw new HostRefusal("Saving outside of the output folder is not allowed.");
    show(keyOf(output), file);
    if (output.kind === "video" || output.animated) shown["animated"] = [true];
  }

  onEvent(event: EngineEvent): void {
    this.#announcing = this.#announcing.then(() => this.#announce(event)).catch(() => {});
  }

  async #announce(event: EngineEvent): Promise<void> {
    if (event.kind === "started" || (event.kind === "progress" && event.progress.step === null)) return;
    const id = event.kind === "progress" ? (event.progress.currentNode ?? "") : event.nodeId;
    const { announcer, begins, ended, signal } = this.#deps;
    if (!this.#segment.has(id) || announcer.isFinished(id) || signal.aborted) return;
    if (!announcer.hasStarted(id)) begins(id);
    if (event.kind === "progress") announcer.tick(id, event.progress.step ?? 0, event.progress.steps ?? 1);
    else if (event.kind === "node_finished") ended(id, this.#shown.get(id) ?? null);
  }

  // Pictures that go to the socket and into no folder.
  async #show({ nodeId, path }: EngineOutput): Promise<void> {
    const picture = { contentType: "image/png", bytes: await readFile(path) } as const;
    this.#announcing = this.#announcing.then(() => {
      const index = this.#shownPictures.get(nodeId) ?? 0;
      this.#shownPictures.set(nodeId, index + 1);
      const { announcer, begins, signal } = this.#deps;
      if (signal.aborted) return;
      if (!announcer.hasStarted(nodeId)) begins(nodeId);
      announcer.tick(nodeId, index, index + 1, picture);
    });
    await this.#announcing;
  }
}

const keys = {
  image: "images",
  video: "images",
  audio: "audio",
  text: "text",
  latent: "latents",
  file: "files",
} as const;
const keyOf = ({ kind }: EngineOutput) => keys[kind];

// The engine counts files per job; the folder has the real counter.
function prefixOf({ name, subfolder }: EngineOutput): { readonly prefix: string; readonly extension: string } {
  const [, stem = name, extension = "bin"] = /^(.*?)(?:_\d+_)?\.([^.]+)$/.exec(name) ?? [];
  return { prefix: subfolder === "" ? stem : `${subfolder}/${stem}`, extension };
}
