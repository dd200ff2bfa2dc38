// How a change reaches other processes: by a ring over the bus or, if that was missed, by the revision.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "../../../test/support/server-process.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import { type Bus, inProcessBus } from "../../foundation/bus/bus.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { silentLog } from "../../foundation/log.ts";
import { createAudit } from "../audit/index.ts";
import type { ProviderDefinition } from "./definition.ts";
import { createLiveProviders, type LiveProviders } from "./live-providers.ts";
import { createProviderCatalog, type ProviderCatalog } from "./provider-catalog.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const by = { actor: { kind: "system" as const, id: null, name: "a test" } };
const checks = { priceProblems: () => [], targetProblems: () => [] };

function definition(provider: string, released = true): ProviderDefinition {
  const model = {
    model: "sketch-2",
    released,
    submit: { path: "/", encoding: "json" as const },
    price: null,
    charges_on_policy_rejection: "unknown" as const,
    input_schema: null,
    recovery: "neither" as const,
    longest_run_seconds: 60,
  };
  return { provider, base_url: "https://api.pictures.example", credential: { kind: "none" }, models: [model] };
}

interface Process {
  readonly catalog: ProviderCatalog;
  readonly live: LiveProviders;
  readonly clock: HandClock;
  // The ids served, one list for each state.
  readonly states: string[][];
  start(): Promise<void>;
  stop(): Promise<void>;
}

function process(bus: Bus, files: readonly ProviderDefinition[] = []): Process {
  const clock = handClock();
  const states: string[][] = [];
  const catalog = createProviderCatalog({
    database,
    audit: createAudit({ database }),
    checks,
    changed: () => live.changed(),
  });
  const live = createLiveProviders({
    catalog,
    checks,
    credentialOf: () => null,
    builtIn: [],
    files,
    apply: async (models) => void states.push(models.map(({ id }) => id).sort()),
    bus,
    clock,
    log: silentLog,
  });
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    catalog,
    live,
    clock,
    states,
    // As a process runs it.
    async start() {
      await live.start();
      running = live.run(createBackground({ clock, log: silentLog }), stopping.signal);
    },
    stop() {
      stopping.abort();
      return running;
    },
  };
}

const put = ({ catalog }: Process, value: ProviderDefinition) =>
  catalog.put({ provider: value.provider, value, expected: { kind: "any" } }, by);
const serves = ({ states }: Process, id: string) => states.at(-1)?.includes(id) ?? false;

test("a bus message brings a change to another process without waiting", async () => {
  const bus = inProcessBus();
  const [here, there] = [process(bus), process(bus)];
  await Promise.all([here.start(), there.start()]);
  await put(here, definition("rung"));
  assert.ok(serves(here, "rung/sketch-2"), "the writer's process serves it before the writer is answered");
  await until("the other heard it", () => serves(there, "rung/sketch-2"));
  await Promise.all([here.stop(), there.stop()]);
});

test("a process that missed the message catches up at its next check, and reads nothing if nothing changed", async () => {
  const [here, deaf] = [process(inProcessBus()), process(inProcessBus())];
  await Promise.all([here.start(), deaf.start()]);
  await put(here, definition("missed"));
  const before = deaf.states.length;
  assert.equal(serves(deaf, "missed/sketch-2"), false);
  await until("the look was due", () => {
    deaf.clock.advance(2_000);
    return serves(deaf, "missed/sketch-2");
  });
  assert.equal(deaf.states.length, before + 1);
  for (let looks = 0; looks < 5; looks++) {
    deaf.clock.advance(2_000);
    await deaf.catalog.revision();
  }
  assert.equal(deaf.states.length, before + 1);
  await Promise.all([here.stop(), deaf.stop()]);
});

test("a change waits at most 10 s to be served here, and is served as soon as it is ready", async () => {
  const clock = handClock();
  const ready: (() => void)[] = [];
  const states: string[][] = [];
  const catalog = createProviderCatalog({
    database,
    audit: createAudit({ database }),
    checks,
    changed: async () => {},
  });
  const live = createLiveProviders({
    catalog,
    checks,
    credentialOf: () => null,
    builtIn: [definition("slow-to-serve")],
    files: [],
    apply: async (models) => {
      states.push(models.map(({ id }) => id));
      await new Promise<void>((resolve) => ready.push(resolve));
    },
    bus: inProcessBus(),
    clock,
    log: silentLog,
  });
  let answered = false;
  const changing = live.changed().then(() => {
    answered = true;
  });
  await until("the models are being made ready", async () => ready.length === 1);
  await clock.advance(9_999);
  assert.deepEqual([answered, live.isLoaded()], [false, false]);
  await clock.advance(1);
  await changing;
  assert.equal(live.isLoaded(), false);
  ready[0]?.();
  await until("the change is served", async () => live.isLoaded());
  assert.ok(states[0]?.includes("slow-to-serve/sketch-2"));
});

test("a model is found as a call began with it: replaced, unreleased, removed, or from a file that is gone", async () => {
  const file = definition("old-file");
  const earlier = process(inProcessBus(), [file]);
  await earlier.start();
  const fileVersion = (await earlier.live.modelOf("old-file/sketch-2", null))?.definitionVersion ?? null;
  await earlier.stop();
  const later = process(inProcessBus());
  await later.start();
  assert.equal(serves(later, "old-file/sketch-2"), false);
  assert.equal((await later.live.modelOf("old-file/sketch-2", fileVersion))?.id, "old-file/sketch-2");
  const { version } = await put(later, definition("stored"));
  await put(later, { ...definition("stored"), base_url: "https://new.pictures.example" });
  assert.equal((await later.live.modelOf("stored/sketch-2", version))?.baseUrl, "https://api.pictures.example");
  assert.equal((await later.live.modelOf("stored/sketch-2", null))?.baseUrl, "https://new.pictures.example");
  await later.catalog.release("stored/sketch-2", false, by);
  assert.equal(serves(later, "stored/sketch-2"), false);
  assert.equal((await later.live.modelOf("stored/sketch-2", version + 1))?.definitionVersion, version + 1);
  await later.catalog.remove("stored", { kind: "any" }, by);
  assert.equal((await later.live.modelOf("stored/sketch-2", version))?.definitionVersion, version);
  assert.equal(await later.live.modelOf("stored/sketch-2", null), null);
  assert.equal(await later.live.modelOf("nobody/sketch-2", 1), null);
  await later.stop();
});

test("a file's definition is one version however often it is read, and writers at once never take one number twice", async () => {
  const { catalog } = process(inProcessBus());
  const file = definition("many");
  const versions = await Promise.all(Array.from({ length: 8 }, () => catalog.record(file)));
  assert.deepEqual(new Set(versions), new Set([1]));
  const writers = Array.from({ length: 8 }, () => process(inProcessBus()));
  const written = await Promise.all(
    writers.map((writer) => put(writer, definition("many")).then(({ version }) => version)),
  );
  assert.deepEqual(written.sort(), [2, 3, 4, 5, 6, 7, 8, 9]);
  const expected = { kind: "version", versions: [9] } as const;
  const race = await Promise.allSettled(
    writers.map(({ catalog: each }) => each.put({ provider: "many", value: definition("many"), expected }, by)),
  );
  assert.equal(race.filter(({ status }) => status === "fulfilled").length, 1);
});
