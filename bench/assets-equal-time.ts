// Whether timing reveals what others have. One workspace asks for hashes and sends bytes that another workspace has, alternating
// with ones that do not exist, one request after the other on one connection. Both get the same answers (404 and 201); here we
// compare their medians. The same with two halves of the unknown ones shows how much is chance.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { AssetServer } from "./assets-downloads.ts";
import { type Account, calling, liftLimits } from "./calling.ts";
import { atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import type { PhaseLimit } from "./phase-limit.ts";
import { root } from "./processes.ts";
import { formType, headOf, Line, smallForm } from "./transfer-generator.ts";

export interface EqualTimeOptions {
  readonly adminToken: string;
  // Of each kind.
  readonly requests: number;
}

export async function benchEqualTime(
  site: AssetServer,
  options: EqualTimeOptions,
  limit: PhaseLimit,
): Promise<Finding[]> {
  const other = await secondKey(site, options.adminToken);
  const known = Array.from({ length: options.requests }, () => randomBytes(4096));
  const hashes: string[] = [];
  for (let at = 0; at < known.length; at += 8) {
    limit.check();
    hashes.push(...(await Promise.all(known.slice(at, at + 8).map((bytes) => store(site, bytes)))));
  }
  // Opened only now, because the server closes a connection that is idle for 15 seconds.
  const line = await Line.open(site.server.port);
  try {
    const look = { line, limit, requests: options.requests };
    return [
      ...(await compare("a lookup", look, 404, (index, isKnown) => {
        const hash = isKnown ? hashes[index] : `blake3:${randomBytes(32).toString("hex")}`;
        return [headOf("HEAD", site.server.port, `/api/v2/assets/by-hash/${hash}`, { "x-api-key": other })];
      })),
      ...(await compare("an upload", look, 201, (index, isKnown) => {
        const form = smallForm(isKnown ? (known[index] ?? randomBytes(4096)) : randomBytes(4096));
        const length = String(form.length);
        return [
          headOf("POST", site.server.port, "/api/v2/assets", {
            "x-api-key": other,
            "content-type": formType,
            "content-length": length,
          }),
          form,
        ];
      })),
    ];
  } finally {
    line.end();
  }
}

type Ask = (index: number, isKnown: boolean) => (string | Uint8Array)[];

interface Look {
  readonly line: Line;
  readonly limit: PhaseLimit;
  readonly requests: number;
}

async function compare(what: string, { line, limit, requests }: Look, status: number, ask: Ask): Promise<Finding[]> {
  const cpu = watchCpu();
  const took = { known: [] as number[], unknown: [] as number[], unknownToo: [] as number[] };
  const time = async (index: number, kind: keyof typeof took) => {
    const pieces = ask(index, kind === "known");
    const began = performance.now();
    const answer = await line.ask(...pieces);
    took[kind].push(performance.now() - began);
    if (answer.status !== status) throw new Error(`${what} answered ${answer.status} instead of ${status}`);
  };
  const kinds = ["known", "unknown", "unknownToo"] as const;
  for (let index = 0; index < requests; index++) {
    limit.check();
    // A different one goes first each time, so that no kind always follows the same one.
    for (let turn = 0; turn < kinds.length; turn++) await time(index, kinds[(index + turn) % kinds.length] ?? "known");
  }
  const { one } = reportWith(cpu.foreignShare());
  const difference = (some: number[], others: number[]) => Math.abs(median(some) / median(others) - 1) * 100;
  const chance = difference(took.unknownToo, took.unknown);
  return [
    one(
      `${what} of what another workspace has: difference to what nobody has`,
      difference(took.known, took.unknown),
      "%",
      atMost(5),
      [median(took.known) * 1000, median(took.unknown) * 1000],
    ),
    one(`${what} of what nobody has: difference between two halves`, chance, "%"),
  ];
}

async function store({ server, key }: AssetServer, bytes: Uint8Array): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v2/assets`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": formType },
    body: smallForm(bytes),
  });
  const { hash } = (await answer.json()) as { hash?: string };
  if (hash === undefined) throw new Error(`an upload answered ${answer.status}`);
  return hash;
}

// A key of a new workspace.
async function secondKey({ server, key, home }: AssetServer, adminToken: string): Promise<string> {
  const { created_by } = (await calling(server, key)<Account>("GET", "/account")).key;
  const wanted = { name: "Other", owner_id: created_by };
  const { id } = await calling(server, adminToken)<{ id: string }>("POST", "/admin/workspaces", wanted);
  const command = [join(root, "packages/cli/bin/atelier.mjs"), "keys", "create", "other", "--workspace", id];
  const env = { ...process.env, ATELIER_HOME: home };
  const said = spawnSync(process.execPath, [...command, "--json"], { env, encoding: "utf8", timeout: 60_000 });
  const secret = /"key":"([^"]+)"/.exec(said.stdout)?.[1];
  if (secret === undefined) throw new Error(`No key for a second workspace: ${said.stdout}${said.stderr}`);
  await liftLimits(server, secret, adminToken, ["workflow_and_registry_requests_per_minute"]);
  return secret;
}
