// The console as a browser gets it: what the first load weighs, what a page costs on a processor slowed down four times, and how
// long lists perform. On a server as shipped, in headless Chromium, with an empty cache for every load.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { weighConsole } from "../packages/server/test/console/bundle-budget.ts";
import type { Scene, Visit } from "../packages/server/test/console/scene.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";

const slowedDown = 4;
const warmingRounds = 3;
const shiftMax = 20;
// Layout shifts during loading are counted: in each round for the pages everyone opens, in the first for all.
const pages = ["/", "/console/models", "/console/jobs", "/console/gallery", "/console/usage"];
const otherPages = ["/profile/api-keys", "/console/models/sandbox/image-1"].concat(
  ["workflows", "classes", "requests", "errors", "webhooks", "nodes", "badges", "credentials", "members", "you"]
    .concat(["plans", "templates", "works", "system", "metrics", "backups", "settings", "providers", "workers"])
    .concat(["workspaces"])
    .map((name) => `/console/${name}`),
);
const clicks = ["Models", "Jobs", "Gallery", "API keys", "Overview"];
const atMost = (value: number) => ({ kind: "at most", value }) as const;

export async function benchConsole(rounds: number): Promise<Finding[]> {
  process.env["ATELIER_TEST_CHROMIUM"] ??= "/usr/bin/chromium";
  const { openScene } = await import("../packages/server/test/console/scene.ts");
  const scene = await openScene();
  const bare = await openBarePage();
  try {
    const cpu = watchCpu();
    const paints: number[] = [];
    const barePaints: number[] = [];
    const answers: number[] = [];
    const shifts: number[] = [];
    // We do not measure a server and a browser that have just started.
    for (let warming = 0; warming < warmingRounds; warming++) {
      await firstPaint(scene, bare.url);
      await firstPaint(scene, `${scene.baseUrl}/`);
    }
    for (let round = 0; round < rounds; round++) {
      barePaints.push(await firstPaint(scene, bare.url));
      paints.push(await firstPaint(scene, `${scene.baseUrl}/`));
      const seen = await look(scene, round === 0 ? [...pages, ...otherPages] : pages);
      answers.push(seen.slowestAnswer);
      shifts.push(seen.shift);
    }
    const loading = findingsOf({ paints, barePaints, answers, shifts }, cpu.foreignShare());
    return [...sizes(), ...loading, ...(await largeGraph(scene)), ...(await longLists(scene))];
  } finally {
    await bare.close();
    await scene.close();
  }
}

// How long a browser takes to show one heading: no page can be faster.
async function openBarePage(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><h1>Bare</h1></html>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
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
  let shift = 0;
  for (const path of paths) {
    await visit.open(path);
    const seen = await visit.page.evaluate<number>("window.shift");
    if (seen * 1_000 > shiftMax)
      console.error(`${path} moves by ${(seen * 1_000).toFixed(1)} thousandths while it loads`);
    shift = Math.max(shift, seen);
  }
  await visit.close();
  return { slowestAnswer, shift };
}

// For a signed-in person who comes for the first time, without the watchers that tests add to a page.
async function firstPaint(scene: Scene, url: string): Promise<number> {
  const visit = await scene.visit("light");
  const browser = visit.context.browser();
  if (browser === null) throw new Error("The page has no browser.");
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies(await visit.context.cookies());
  await visit.close();
  const page = await context.newPage();
  await slowDown({ context, page });
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  const paint = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const seen = list.getEntries().find(({ name }) => name === "first-contentful-paint");
      if (seen) resolve(seen.startTime);
    }).observe({ type: "paint", buffered: true });
  })`);
  await context.close();
  return paint;
}

function findingsOf(
  { paints, barePaints, answers, shifts }: Readonly<Record<"paints" | "barePaints" | "answers" | "shifts", number[]>>,
  foreignCpu: number | null,
): Finding[] {
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
      name: "a page of one heading, in the same rounds: the browser's own part of it",
      value: median(barePaints),
      unit: "ms",
      rounds: barePaints,
      foreignCpu,
    },
    {
      // Each round compares two loads that follow each other, so this holds on a busy machine too.
      name: "console: first contentful paint, compared with that page",
      value: median(paints.map((paint, round) => paint / (barePaints[round] ?? paint))),
      unit: "times",
      limit: atMost(1.8),
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
      limit: atMost(shiftMax),
      rounds: shifts.map((shift) => shift * 1_000),
      foreignCpu,
    },
  ];
}

// Frames depend on what else the machine does; what the page's thread needs for one does not.
async function largeGraph(scene: Scene): Promise<Finding[]> {
  const { frameMsMax, graphNodes, panGraph } = await import("../packages/server/test/console/large-graph.ts");
  const visit = await scene.visit("light");
  const cpu = watchCpu();
  const { threadMsPerFrame, framesPerSecond } = await panGraph(visit);
  const foreignCpu = cpu.foreignShare();
  await visit.close();
  const what = `a graph of ${graphNodes} nodes, panned`;
  return [
    {
      name: `console: ${what}, the page's thread per frame`,
      value: threadMsPerFrame,
      unit: "ms",
      limit: atMost(frameMsMax),
      foreignCpu,
    },
    {
      name: `console: ${what}, frames a second`,
      value: framesPerSecond,
      unit: "times",
      limit: { kind: "at least", value: 1_000 / frameMsMax },
      foreignCpu,
    },
  ];
}

// Measured like the tests of long lists, once each.
async function longLists(scene: Scene): Promise<Finding[]> {
  const lists = await import("../packages/server/test/console/long-lists.ts");
  const counted = async (name: string, read: (visit: Visit) => Promise<number>): Promise<Finding> => {
    const visit = await scene.visit("light");
    const value = await read(visit);
    await visit.close();
    return { name, value, unit: "tiles", limit: atMost(lists.tilesMax - 1), foreignCpu: null };
  };
  const gallery = await counted("console: tiles, 10,000 pictures read to the end", (visit) =>
    lists.readGallery(scene, visit),
  );
  return lists.withDatabase(scene, async (database) => {
    const jobs = await counted("console: rows, 100,000 jobs, a thousand of them read", (visit) =>
      lists.readJobs(scene, visit, database),
    );
    const visit = await scene.visit("light");
    const cpu = watchCpu();
    const { busyShare } = await lists.watchRunning(scene, visit, database);
    const foreignCpu = cpu.foreignShare();
    await visit.close();
    const live: Finding = {
      name: "console: a core's share for the live rows of 500 running jobs",
      value: busyShare * 100,
      unit: "%",
      limit: atMost(lists.busyShareMax * 100),
      foreignCpu,
    };
    return [gallery, jobs, live];
  });
}

// The document with what it loads immediately, and the heaviest parts that load later.
function sizes(): Finding[] {
  const { first, files } = weighConsole();
  const later = Object.entries(files)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 5);
  const weighed = (name: string, value: number, most: number): Finding => ({
    name,
    value,
    unit: "kB",
    limit: atMost(most),
    foreignCpu: null,
  });
  return [
    weighed("console: first load, gzip", first, 160),
    ...later.map(([name, kB]) => weighed(`console: ${name}, loaded where it is needed`, kB, 100)),
  ];
}
