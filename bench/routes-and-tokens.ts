// What a durable call costs more through a route whose first target is healthy, with a token, and with budgets: processor time of
// gateway and PostgreSQL, in turns with the plain call. And what recognising a token costs by itself.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aProcess, aStudio, bySystem } from "../packages/server/src/capabilities/identity/identity.fixture.ts";
import { openDatabase, startEmbeddedPostgres } from "../packages/server/src/foundation/database/index.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { node, type Started, startPoster, startUntilReady } from "./processes.ts";
import { benchKey, durableTarget, measureTurn, startOurs } from "./router.ts";
import type { Target, Turn } from "./router-measured.ts";

export interface RoutesAndTokensOptions {
  readonly rounds: number;
  readonly milliseconds: number;
}

export async function benchRoutesAndTokens(options: RoutesAndTokensOptions): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-routes-"));
  const endings: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })];
  try {
    return await run(home, options, (end) => endings.unshift(end));
  } finally {
    for (const end of endings) await end();
  }
}

async function run(
  home: string,
  { rounds, milliseconds }: RoutesAndTokensOptions,
  atEnd: (end: () => unknown) => void,
) {
  const provider = await startUntilReady(node("bench/router-upstream.ts"), { isPinned: "with the load" });
  atEnd(() => provider.stop());
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, "postgres") });
  atEnd(() => postgres.stop());
  const gateway = await startOurs(home, provider, postgres);
  atEnd(() => gateway.stop());
  const targets = await prepare(gateway);
  const poster = startPoster();
  atEnd(() => poster.end());
  const postgresPid = Number(readFileSync(join(home, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  const measure = (target: Target, connections: number, ms: number) =>
    measureTurn(poster, target, postgresPid, { connections, milliseconds: ms });
  for (const target of Object.values(targets)) await measure(target, 32, 3_000);

  const series = Object.fromEntries(
    Object.keys(targets).map((name) => [name, { crowd: [] as Turn[], alone: [] as Turn[] }]),
  );
  const cpu = watchCpu();
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of Object.entries(targets)) {
      series[name]?.crowd.push(await measure(target, 32, milliseconds));
      series[name]?.alone.push(await measure(target, 1, milliseconds / 2));
    }
  const foreignCpu = cpu.foreignShare();
  const costs = (name: string) =>
    (series[name]?.crowd ?? []).map((turn) => turn.gatewayMicroseconds + turn.postgresMicroseconds);
  const least = (values: readonly number[]) => Math.min(...values);
  const p50 = (name: string) => least((series[name]?.alone ?? []).map((turn) => turn.p50Ms));
  const beside = (name: string, words: string, limit?: Finding["limit"]): Finding[] => [
    {
      name: `durable call ${words}: CPU beside the plain one`,
      value: least(costs(name)) / least(costs("plain")),
      unit: "times",
      rounds: costs(name).map((cost, round) => cost / (costs("plain")[round] ?? Number.NaN)),
      foreignCpu,
      ...(limit && { limit }),
    },
    {
      name: `durable call ${words}: added, p50, one connection`,
      value: p50(name) - p50("plain"),
      unit: "ms",
      foreignCpu,
    },
  ];
  return [
    ...beside("route", "through a route", { kind: "at most", value: 1.05 }),
    ...beside("token", "with a token of three ancestors"),
    ...beside("budgets", "that counts against two budgets"),
    ...(await recognising(postgres.connection, rounds)),
  ];
}

async function prepare(gateway: Started): Promise<Record<"plain" | "route" | "token" | "budgets", Target>> {
  const call = async (method: string, path: string, body: object, key = benchKey) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const answer = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { readonly token?: string };
  };
  await call("PUT", "/account/routes/bench", { targets: [{ model: "bench/priced" }, { model: "bench/free" }] });
  const amounts = { period: "month", amount: "100000000" };
  await call("PUT", "/account/budgets/someone", { scope: "end_user", subject: "someone", ...amounts });
  await call("PUT", "/account/budgets/project", { scope: "tag", subject: "project=bench", ...amounts });
  let token = benchKey;
  const wanted = { capabilities: ["call_models", "derive_tokens"], models: ["bench/*"], credits_max: "10000000" };
  for (let depth = 0; depth < 4; depth++) token = (await call("POST", "/account/tokens", wanted, token)).token ?? "";
  const plain = durableTarget(gateway);
  const labels = { "x-service-end-user": "someone", "x-service-tags": '{"project":"bench"}' };
  return {
    plain,
    route: { ...plain, name: "route", path: "/v1/models/route/bench" },
    token: { ...plain, name: "token", headers: { "x-api-key": token } },
    budgets: { ...plain, name: "budgets", headers: { ...plain.headers, ...labels } },
  };
}

const checks = 20_000;

// In this process, with tokens that were looked up within the last second, as nearly all are that are used often.
async function recognising(
  connection: Parameters<typeof openDatabase>[0]["connection"],
  rounds: number,
): Promise<Finding[]> {
  const db = openDatabase({ connection, poolSize: 2, readers: 0 });
  try {
    const { identity } = aProcess(db);
    const { workspaceId } = await aStudio(db, identity);
    const request = { workspaceId, name: "bench", role: "member", scopes: ["models"], createdBy: null } as const;
    const { key } = await identity.keys.create({ ...request, expiresAt: null }, bySystem);
    const root = {
      kind: "key",
      keyId: key.id,
      personId: null,
      workspaceId,
      role: "member",
      scopes: ["models"],
    } as const;
    const wanted = {
      capabilities: ["call_models", "derive_tokens"],
      models: ["bench/*"],
      creditsMax: 5n,
      origins: ["https://shop.example"],
      addresses: ["192.0.2.0/24"],
    } as const;
    const asking = (secret: string) => ({
      rawHeaders: ["Host", "example", "Authorization", `Bearer ${secret}`, "Origin", "https://shop.example"],
      peer: "192.0.2.1",
      operationId: "invokeModel",
    });
    let secret = "";
    for (let depth = 0; depth < 4; depth++) {
      const parent = depth === 0 ? root : await identity.authenticate(asking(secret));
      ({ secret } = await identity.tokens.create({ parent, wanted, label: null, createdBy: null }, bySystem));
    }
    const one = asking(secret);
    await identity.authenticate(one);
    const series: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const began = process.cpuUsage();
      for (let count = 0; count < checks; count++) identity.authenticate(one);
      const { user, system } = process.cpuUsage(began);
      if (round >= 0) series.push((user + system) / checks);
    }
    const name = "recognising a token with origins, addresses and three ancestors: CPU";
    return [
      {
        name,
        value: median(series),
        unit: "µs",
        rounds: series,
        limit: { kind: "at most", value: 30 },
        foreignCpu: null,
      },
    ];
  } finally {
    await db.close();
  }
}
