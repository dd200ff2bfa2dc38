// `atelier models check`: the conformance kit for a definition that an operator wrote, or for a shipped one. It needs no
// database and no running server, and connects only to loopback. With --live, one real call follows if everything passed; its
// cost is shown first.

import { access } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../foundation/clock.ts";
import { newRequestId } from "../../foundation/ids.ts";
import { readJsonFile } from "../../foundation/json/json-file.ts";
import type { CommandReport } from "../../foundation/looks/command-report.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { fixturesBeside, shippedFolder, shippedNames } from "../model-calls/index.ts";
import { priceChecks } from "../prices/index.ts";
import {
  checkDefinition,
  createProviderCredentials,
  createProviderUpstream,
  type ModelDefinition,
  providerSecrets,
} from "../providers/index.ts";
import { checkNodeClasses, isNodesFile } from "./check-node-classes.ts";
import { type ConformanceReport, checkProvider } from "./check-provider.ts";
import { type LiveCall, liveCall } from "./live-call.ts";
import { priceLines, reportLines, withoutFixtures } from "./report-words.ts";

const foundProblems = 12;

// The definition of a model whose real call succeeded.
export interface VerifiedModel {
  readonly provider: string;
  readonly model: ModelDefinition;
}

export interface CheckRequest {
  // A file, or the name of a shipped provider.
  readonly name: string;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  // Whether the server is a personal one, which may call this machine.
  readonly isLocal: boolean;
  readonly env: CallOnce["env"];
  say(line: string): void;
  // Records that a real call succeeded. Returns false if there is no server to record it on.
  record(verified: VerifiedModel): Promise<boolean>;
}

export async function checkModels({ name, options, record, ...asked }: CheckRequest): Promise<CommandReport> {
  const path = await pathOf(name);
  const file = await readJsonFile(path);
  if (isNodesFile(file.value)) return checkNodeClasses(file);
  const definition = file.value;
  const named = options["fixtures"];
  const fixturesPath = typeof named === "string" ? named : fixturesBeside(path);
  const hasFixtures = typeof named === "string" || (await exists(fixturesPath));
  const report = hasFixtures
    ? await checkProvider({ checks: priceChecks, definition, fixtures: (await readJsonFile(fixturesPath)).value })
    : withoutFixtures(definition, fixturesPath);
  const isWell = report.findings.length === 0;
  const live =
    options["live"] === true && isWell ? await callOnce(definition, { ...asked, model: options["model"] }) : null;
  const isLiveWell = live === null || live.outcome === "completed";
  const verified = live !== null && isLiveWell ? verifiedModel(definition, live.model) : null;
  const isRecorded = verified !== null && (await record(verified));
  return {
    data: { ...report, live, recorded: isRecorded },
    text: [
      ...reportLines(report, file),
      ...(isWell ? priceLines(definition) : []),
      ...(live ? [liveLine(live)] : []),
      ...(isRecorded ? [`${live?.model} is now listed as verified.`] : []),
      ...(options["live"] === true && !isWell ? ["No real call was made; fix the findings first."] : []),
    ].join("\n"),
    ...(isWell && isLiveWell ? {} : { exitCode: foundProblems, problem: problemOf(report, live) }),
  };
}

function verifiedModel(value: unknown, id: string): VerifiedModel | null {
  const checked = checkDefinition(priceChecks, value);
  if (!checked.ok) return null;
  const { provider, models } = checked.definition;
  const model = models.find((each) => each.model === id || `${provider}/${each.model}` === id);
  return model ? { provider, model } : null;
}

// A file, or the name of a shipped provider.
async function pathOf(word: string): Promise<string> {
  if (await exists(word)) return word;
  const names = await shippedNames();
  if (names.includes(word)) return join(shippedFolder, `${word}.json`);
  throw new UsageProblem([`${word} is neither a readable file nor a shipped provider. Shipped: ${names.join(", ")}.`]);
}

function liveLine({ model, outcome, status, charged_usd, reason }: LiveCall): string {
  return `Real call to ${model}: ${outcome}${reason ? ` (${reason})` : ""}, status ${status}, ${charged_usd} USD.`;
}

function problemOf({ findings }: ConformanceReport, live: LiveCall | null): string {
  if (findings.length > 0) return `The definition has ${findings.length} problems.`;
  return `The real call did not complete: ${live?.outcome ?? ""}.`;
}

interface CallOnce {
  readonly isLocal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly model: string | boolean | undefined;
  say(line: string): void;
}

async function callOnce(value: unknown, { isLocal, env, model, say }: CallOnce): Promise<LiveCall> {
  const checked = checkDefinition(priceChecks, value);
  if (!checked.ok) throw new UsageProblem(checked.problems);
  const { definition } = checked;
  const secrets = providerSecrets(env);
  const { credentialOf, isOwnHost } = createProviderCredentials({ secrets, own: [definition], isLocal });
  const upstream = createProviderUpstream({ clock: systemClock, isOwnHost });
  try {
    const deps = { clock: systemClock, upstream, credentialOf, reference: newRequestId(), say };
    const name = typeof model === "string" ? (model.split("/").at(-1) ?? model) : null;
    const called = await liveCall(deps, definition, name);
    if (typeof called === "string") throw new UsageProblem([`No real call was made. ${called}`]);
    return called;
  } finally {
    await upstream.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return (
    path !== "" &&
    (await access(path).then(
      () => true,
      () => false,
    ))
  );
}
