// What a durable call costs more through a route whose first target is healthy, with a token, and with budgets: processor time of
// gateway and PostgreSQL, in turns with the plain call. And what recognising a token costs by itself.
import { aProcess, aStudio, bySystem } from "../packages/server/src/capabilities/identity/identity.fixture.ts";
import { openDatabase } from "../packages/server/src/foundation/database/index.ts";
import { calling } from "./calling.ts";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { benchKey } from "./gateway.ts";
import type { Started } from "./processes.ts";
import { durableTarget, measureTurn, routerWorld } from "./router.ts";
import type { Target, Turn } from "./router-measured.ts";

export interface RoutesAndTokensOptions {
  readonly rounds: number;
  readonly milliseconds: number;
}

export async function benchRoutesAndTokens({ rounds, milliseconds }: RoutesAndTokensOptions): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const { postgres, gateway, poster, postgresPid } = await routerWorld("routes", ends);
  const targets = await prepare(gateway);
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
  const { one } = reportWith(cpu.foreignShare());
  const costs = (name: string) =>
    (series[name]?.crowd ?? []).map((turn) => turn.gatewayMicroseconds + turn.postgresMicroseconds);
  const least = (values: readonly number[]) => Math.min(...values);
  const p50 = (name: string) => least((series[name]?.alone ?? []).map((turn) => turn.p50Ms));
  const beside = (name: string, words: string, limit?: Finding["limit"]): Finding[] => [
    one(
      `durable call ${words}: CPU beside the plain one`,
      least(costs(name)) / least(costs("plain")),
      "times",
      limit,
      costs(name).map((cost, round) => cost / (costs("plain")[round] ?? Number.NaN)),
    ),
    one(`durable call ${words}: added, p50, one connection`, p50(name) - p50("plain"), "ms"),
  ];
  return [
    ...beside("route", "through a route", atMost(1.05)),
    ...beside("token", "with a token of three ancestors"),
    ...beside("budgets", "that counts against two budgets"),
    ...(await recognising(postgres.connection, rounds)),
  ];
}

async function prepare(gateway: Started): Promise<Record<"plain" | "route" | "token" | "budgets", Target>> {
  const call = calling(gateway, benchKey);
  await call("PUT", "/account/routes/bench", { targets: [{ model: "bench/priced" }, { model: "bench/free" }] });
  const amounts = { period: "month", amount: "100000000" };
  await call("PUT", "/account/budgets/someone", { scope: "end_user", subject: "someone", ...amounts });
  await call("PUT", "/account/budgets/project", { scope: "tag", subject: "project=bench", ...amounts });
  let token = benchKey;
  const wanted = { capabilities: ["call_models", "derive_tokens"], models: ["bench/*"], credits_max: "10000000" };
  for (let depth = 0; depth < 4; depth++)
    ({ token } = await calling(gateway, token)<{ token: string }>("POST", "/account/tokens", wanted));
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
    return [reportWith(null).medianOf(name, series, "µs", atMost(30))];
  } finally {
    await db.close();
  }
}
