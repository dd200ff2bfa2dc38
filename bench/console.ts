// The console as a browser gets it: what the first load weighs, and what a page costs on a processor that is slowed down four
// times. On a server as it is shipped, in headless Chromium, with an empty cache for every load.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Scene, Visit } from "../packages/server/test/console/scene.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { root } from "./processes.ts";

const slowedDown = 4;
// What moves on a page while it loads is counted: in each round on those that everyone opens, in the first on all.
const pages = ["/", "/console/models", "/console/jobs", "/console/gallery", "/console/usage"];
const otherPages = ["/profile/api-keys", "/console/models/sandbox/image-1"].concat(
  ["workflows", "classes", "requests", "errors", "webhooks", "nodes", "badges", "credentials", "members", "you"]
    .concat(["system", "providers", "workers", "workspaces"])
    .map((name) => `/console/${name}`),
);
const clicks = ["Models", "Jobs", "Gallery", "API keys", "Overview"];

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
}

export async function benchConsole(rounds: number): Promise<Finding[]> {
  process.env["ATELIER_TEST_CHROMIUM"] ??= "/usr/bin/chromium";
  const { openScene } = await import("../packages/server/test/console/scene.ts");
  const scene = await openScene();
  try {
    const cpu = watchCpu();
    const paints: number[] = [];
    const answers: number[] = [];
    const shifts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      paints.push(await firstPaint(scene));
      const seen = await look(scene, round === 0 ? [...pages, ...otherPages] : pages);
      answers.push(seen.slowestAnswer);
      shifts.push(seen.shift);
    }
    return [...sizes(), ...findingsOf({ paints, answers, shifts }, cpu.foreignShare())];
  } finally {
    await scene.close();
  }
}

async function slowDown({ context, page }: Pick<Visit, "context" | "page">): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowedDown });
}

async function look(
  scene: Scene,
  paths: readonly string[],
): Promise<{ readonly slowestAnswer: number; readonly shift: number }> {
  const visit = await scene.visit("light");
  await slowDown(visit);
  await visit.context.addInitScript({
    content: `
      window.shift = 0; window.slowest = 0;
      new PerformanceObserver((list) => { for (const it of list.getEntries()) if (!it.hadRecentInput) window.shift += it.value; })
        .observe({ type: "layout-shift", buffered: true });
      new PerformanceObserver((list) => { for (const it of list.getEntries()) if (it.interactionId) window.slowest = Math.max(window.slowest, it.duration); })
        .observe({ type: "event", durationThreshold: 16, buffered: true });`,
  });
  await visit.open("/");
  for (const name of clicks) {
    await visit.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
    await visit.page.waitForLoadState("networkidle");
  }
  const slowestAnswer = await visit.page.evaluate<number>("window.slowest");
  const seen: number[] = [];
  for (const path of paths) {
    await visit.open(path);
    seen.push(await visit.page.evaluate<number>("window.shift"));
  }
  await visit.close();
  return { slowestAnswer, shift: Math.max(...seen) };
}

// By someone who is signed in and comes for the first time, without the watchers that tests put into a page.
async function firstPaint(scene: Scene): Promise<number> {
  const visit = await scene.visit("light");
  const browser = visit.context.browser();
  if (browser === null) throw new Error("The page has no browser.");
  const context = await browser.newContext({ baseURL: scene.baseUrl, viewport: { width: 1280, height: 800 } });
  await context.addCookies(await visit.context.cookies());
  await visit.close();
  const page = await context.newPage();
  await slowDown({ context, page });
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  const paint = await page.evaluate<number>(
    `performance.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint").startTime`,
  );
  await context.close();
  return paint;
}

function findingsOf(
  { paints, answers, shifts }: Readonly<Record<"paints" | "answers" | "shifts", readonly number[]>>,
  foreignCpu: number | null,
): Finding[] {
  const atMost = (value: number) => ({ kind: "at most", value }) as const;
  return [
    {
      name: "console: first contentful paint, processor slowed down 4 times",
      value: median(paints),
      unit: "ms",
      limit: atMost(300),
      rounds: paints,
      foreignCpu,
    },
    {
      name: "console: slowest answer to a click, slowed down 4 times",
      value: median(answers),
      unit: "ms",
      limit: atMost(100),
      rounds: answers,
      foreignCpu,
    },
    {
      name: "console: layout shift, thousandths, the worst page",
      value: Math.max(...shifts) * 1_000,
      unit: "times",
      limit: atMost(20),
      rounds: shifts.map((shift) => shift * 1_000),
      foreignCpu,
    },
  ];
}

// The document with what it loads at once (its styles stand in it), and the heaviest parts that come later.
function sizes(): Finding[] {
  const folder = join(root, "packages/console/dist/app");
  const chunks = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Record<string, Chunk>;
  const weigh = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / 1_000;
  const document = readFileSync(join(folder, "index.html"), "utf8");
  const named = document.matchAll(
    /<(?:link|script)\b(?![^>]* disabled )[^>]*(?:href|src)="\/console\/files\/([^"]+)"/g,
  );
  const first = new Set<string>(["index.html", ...[...named].map(([, file = ""]) => file)]);
  const follow = (name: string) => {
    const chunk = chunks[name];
    if (chunk === undefined) return;
    first.add(chunk.file);
    for (const each of chunk.imports ?? []) follow(each);
  };
  follow("index.html");
  const weightOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + weigh(file), 0);
  const later = Object.values(chunks)
    .filter(({ file }) => !first.has(file) && file.endsWith(".js"))
    .map(({ file }) => ({ file, kB: weigh(file) }))
    .sort((one, other) => other.kB - one.kB)
    .slice(0, 5);
  const told = later.map(
    ({ file, kB }): Finding => ({
      name: `console: ${file.replace(/-[\w-]{8}\.js$/, "")}, loaded where it is needed`,
      value: kB,
      unit: "kB",
      limit: { kind: "at most", value: 100 },
      foreignCpu: null,
    }),
  );
  const whole: Finding = {
    name: "console: first load, gzip",
    value: weightOf(first),
    unit: "kB",
    limit: { kind: "at most", value: 150 },
    foreignCpu: null,
  };
  return [whole, ...told];
}
