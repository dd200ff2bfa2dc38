// The console as a browser gets it: what the first load weighs, what a page costs on a processor slowed down four times, and how
// long lists perform. On a server as shipped, in headless Chromium, with an empty cache for every load.
import { createServer } from "node:http";
import { weighConsole } from "../packages/server/test/console/bundle-budget.ts";
import type { Scene, Visit } from "../packages/server/test/console/scene.ts";
import { atLeast, atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { portOf } from "./ready.ts";

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
    url: `http://127.0.0.1:${portOf(server)}/`,
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
  const { one, medianOf } = reportWith(foreignCpu);
  return [
    medianOf("console: first contentful paint, processor slowed down 4 times", paints, "ms", atMost(300)),
    medianOf("a page of one heading, in the same rounds: the browser's own part of it", barePaints, "ms"),
    // Each round compares two loads that follow each other, so this holds on a busy machine too.
    one(
      "console: first contentful paint, compared with that page",
      median(paints.map((paint, round) => paint / (barePaints[round] ?? paint))),
      "times",
      atMost(1.8),
    ),
    medianOf("console: slowest answer to a click, slowed down 4 times", answers, "ms", atMost(100)),
    one(
      "console: layout shift, thousandths, the worst page",
      Math.max(...shifts) * 1_000,
      "times",
      atMost(shiftMax),
      shifts.map((shift) => shift * 1_000),
    ),
  ];
}

// Frames depend on what else the machine does; what the page's thread needs for one does not.
async function largeGraph(scene: Scene): Promise<Finding[]> {
  const { frameMsMax, graphNodes, panGraph } = await import("../packages/server/test/console/large-graph.ts");
  const visit = await scene.visit("light");
  const cpu = watchCpu();
  const { threadMsPerFrame, framesPerSecond } = await panGraph(visit);
  const { one } = reportWith(cpu.foreignShare());
  await visit.close();
  const what = `a graph of ${graphNodes} nodes, panned`;
  return [
    one(`console: ${what}, the page's thread per frame`, threadMsPerFrame, "ms", atMost(frameMsMax)),
    one(`console: ${what}, frames a second`, framesPerSecond, "times", atLeast(1_000 / frameMsMax)),
  ];
}

// Measured like the tests of long lists, once each.
async function longLists(scene: Scene): Promise<Finding[]> {
  const lists = await import("../packages/server/test/console/long-lists.ts");
  const counted = async (name: string, read: (visit: Visit) => Promise<number>): Promise<Finding> => {
    const visit = await scene.visit("light");
    const value = await read(visit);
    await visit.close();
    return reportWith(null).one(name, value, "tiles", atMost(lists.tilesMax - 1));
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
    const { one } = reportWith(cpu.foreignShare());
    await visit.close();
    const live = one(
      "console: a core's share for the live rows of 500 running jobs",
      busyShare * 100,
      "%",
      atMost(lists.busyShareMax * 100),
    );
    return [gallery, jobs, live];
  });
}

// The document with what it loads immediately, and the heaviest parts that load later.
function sizes(): Finding[] {
  const { first, files } = weighConsole();
  const later = Object.entries(files)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 5);
  const weighed = (name: string, value: number, most: number): Finding =>
    reportWith(null).one(name, value, "kB", atMost(most));
  return [
    weighed("console: first load, gzip", first, 160),
    ...later.map(([name, kB]) => weighed(`console: ${name}, loaded where it is needed`, kB, 100)),
  ];
}
