// The rules of the house, as a function over file names and texts, so that the test can also hand in a house with a
// planted fault and see it found. No dependency: imports are read with a pattern, which is enough for our own style.
import { dirname, join, normalize } from "node:path";

// Files of packages/server/src, by path relative to it.
export type House = ReadonlyMap<string, string>;

const levels: Readonly<Record<string, number>> = { foundation: 0, capabilities: 1, areas: 2, surfaces: 3, roof: 4 };

// A capability may use another only along an edge that stands here.
const capabilityEdges: Readonly<Record<string, readonly string[]>> = {
  webhooks: ["audit", "secrets"],
  identity: ["audit", "secrets", "limits"],
  "admin-tokens": ["audit", "limits", "identity"],
  limits: ["audit"],
  assets: ["blobs", "limits", "secrets"],
  calls: ["blobs", "prices", "audit"],
  jobs: ["assets", "blobs", "calls", "limits", "secrets"],
  "graph-runs": ["jobs"],
  deployments: ["audit", "jobs", "webhooks"],
  applications: ["graph-runs", "jobs"],
  "application-files": ["assets", "blobs"],
  pools: ["jobs"],
  "worker-tokens": ["audit", "identity"],
  "remote-work": ["blobs", "graph-runs", "jobs", "pools"],
  prices: ["badge-proof"],
  providers: ["audit"],
  "workspace-data": ["audit", "calls", "identity"],
  "own-credentials": ["audit", "providers", "secrets"],
  partners: ["prices", "providers"],
  "partner-tasks": ["calls", "partners", "prices", "providers", "secrets", "webhooks"],
};

const emptyNames = /^(utils?|helpers?|common|misc|types|interfaces|constants|managers?|services?)$/;

export function brokenRules(house: House): string[] {
  return [
    ...[...house].flatMap(([path, text]) => [...floorsAndDoors(path, text), ...homes(path, text)]),
    ...circles(house),
  ];
}

interface Place {
  readonly floor: string;
  readonly module: string;
}

function placeOf(path: string): Place {
  const [floor = "", second = ""] = path.split("/");
  if (floor in levels) return { floor, module: second.endsWith(".ts") ? "" : second };
  return { floor: "roof", module: "" };
}

export function importsOf(path: string, text: string): string[] {
  const specifiers = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|import\("([^"]+)"\)/g,
  );
  return [...specifiers]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? "")
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(dirname(path), specifier)));
}

function floorsAndDoors(path: string, text: string): string[] {
  const from = placeOf(path);
  if (from.floor === "roof" || from.floor === "processes") return [];
  return importsOf(path, text).flatMap((target) => {
    // Tests may lean on test/support, outside the house.
    if (target.startsWith(".."))
      return path.endsWith(".test.ts") ? [] : [`${path} imports from outside the house: ${target}`];
    const to = placeOf(target);
    const isOwnModule = from.floor === to.floor && from.module === to.module;
    if (isOwnModule) {
      const isOwnDoor = from.floor !== "foundation" && target === `${to.floor}/${to.module}/index.ts`;
      return isOwnDoor && !path.endsWith(".test.ts") ? [`${path} enters its own module by ${target}`] : [];
    }
    if (from.floor === "foundation" && to.floor === "foundation") return [];
    const isDeclared = from.floor === "capabilities" && (capabilityEdges[from.module]?.includes(to.module) ?? false);
    const isSideways = from.floor === to.floor && !isDeclared;
    const isUp = (levels[to.floor] ?? 4) > (levels[from.floor] ?? 4);
    const problems: string[] = [];
    if (isUp) problems.push(`${path} imports upwards: ${target}`);
    if (isSideways) problems.push(`${path} imports sideways: ${target}`);
    if ((to.floor === "capabilities" || to.floor === "areas") && !target.endsWith("/index.ts")) {
      problems.push(`${path} uses a side door: ${target}`);
    }
    return problems;
  });
}

function homes(path: string, text: string): string[] {
  const problems: string[] = [];
  const name = (path.split("/").at(-1) ?? "").replace(/(\.\w+)*\.ts$/, "");
  const isTest = /\.(test|behaviour)\.ts$/.test(path);
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  if (emptyNames.test(name)) problems.push(`${path} has a name that says nothing`);
  if (text.split("\n").length > 401) problems.push(`${path} has more than 400 lines`);
  if (isTest) return problems;
  const isDatabase = path.startsWith("foundation/database/");
  if (/\bsql`/.test(code) && !path.endsWith("-store.ts") && !isDatabase)
    problems.push(`${path} holds SQL outside a store`);
  if (/\bprocess\.env\b/.test(code)) problems.push(`${path} reads the environment`);
  if (/from "fastify"/.test(code) && path !== "foundation/http/serve.ts")
    problems.push(`${path} knows the HTTP framework`);
  if (/^export default\b/m.test(code)) problems.push(`${path} has a default export`);
  if (/(: any\b|\bas any\b|<any>|@ts-ignore|@ts-expect-error|biome-ignore)/.test(code))
    problems.push(`${path} switches a check off`);
  if (/\bDate\.now\(\)/.test(code) && !["foundation/clock.ts", "foundation/ids.ts"].includes(path)) {
    problems.push(`${path} reads the clock by itself`);
  }
  if (path.startsWith("areas/workflows/") && /\b(cloud|deployment|self-?hosted)\b/i.test(code)) {
    problems.push(`${path} names a surface`);
  }
  problems.push(...periodicElsewhere(path, code));
  return problems;
}

// Threads and processes of our own code begin in one place, which knows what they must be told to find our sources:
// forgotten, it shows only where the server runs as it is shipped. `files`: of all packages, by path from the root.
export function startedElsewhere(files: House): string[] {
  return [...files].flatMap(([path, text]) => {
    if (path.endsWith(".test.ts") || isStarter(path)) return [];
    const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
    const isStart = /\bnew Worker\(|\bfork\(|\bprocess\.execPath\b|\bnew SharedWorker\(|\bcluster\b/.test(code);
    return isStart ? [`${path} starts a thread or process of our own code by itself`] : [];
  });
}

function isStarter(path: string): boolean {
  return [
    "packages/engine/src/own-code.ts",
    // The command itself, before any of our code is loaded.
    "packages/cli/bin/atelier.mjs",
    // Hands over to a script of the checkout, never to a file of a package.
    "packages/cli/src/bench-command.ts",
  ].includes(path);
}

// A loop that goes on until the process stops and sleeps in between is background work, which is told of in one place.
// These are not periodic: each waits on a line that says when there is something to do, and sleeps only while that line
// is broken.
const waitingLoops: Readonly<Record<string, string>> = {
  "foundation/background.ts": "the one home of periodic work",
  "foundation/bus/postgres-bus.ts": "holds a connection and makes it again",
  "capabilities/graph-runs/graph-worker.ts": "claims jobs, which waits for one",
  "capabilities/remote-work/remote-cancels.ts": "asks for cancels, which waits for one",
  "processes/run-sandbox.ts": "waits for the end of a child and starts it again",
  "processes/commands/until-ready.ts": "ends when the server is ready",
};

function periodicElsewhere(path: string, code: string): string[] {
  if (path in waitingLoops) return [];
  const loops = code.matchAll(/\bwhile \(![\w.?]*aborted\) \{\n/g);
  const sleeps = [...loops].some((loop) => {
    const body = blockAt(code, loop.index + loop[0].lastIndexOf("{"));
    return /\bclock\.sleep\(|\bClock\.sleep\(/.test(body);
  });
  return sleeps ? [`${path} sleeps in a loop of its own`] : [];
}

// From an opening brace to the one that closes it. Braces in texts are rare in our style and come in pairs.
function blockAt(code: string, start: number): string {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    if (code[at] === "{") depth += 1;
    else if (code[at] === "}" && --depth === 0) return code.slice(start, at);
  }
  return code.slice(start);
}

// One operation, one handler: exported from a route file under the operation's id, so that one search finds it.
export function handlersAmiss(house: House, operationIds: readonly string[]): string[] {
  const handlers = new Map<string, number>();
  const problems: string[] = [];
  for (const [path, text] of house) {
    if (path.endsWith(".test.ts")) continue;
    const isRouteFile = path.endsWith(".route.ts");
    for (const [, id = ""] of text.matchAll(/\boperation: operations\.(\w+)/g))
      if (!isRouteFile) problems.push(`${path} handles ${id} outside a route file`);
    for (const [, id = ""] of text.matchAll(/^export (?:function|const) (\w+)Route\b/gm))
      if (isRouteFile) handlers.set(id, (handlers.get(id) ?? 0) + 1);
  }
  for (const id of operationIds) {
    const count = handlers.get(id) ?? 0;
    if (count !== 1) problems.push(`${id} has ${count} handlers called ${id}Route`);
  }
  return problems;
}

function circles(house: House): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      found.push(`a circle: ${[...trail.slice(start), path].join(" → ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of importsOf(path, house.get(path) ?? "")) if (house.has(target)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of house.keys()) visit(path, []);
  return found;
}
