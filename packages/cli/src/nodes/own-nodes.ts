// What a publisher does besides publishing: register, create a token for a machine, deprecate a version, and read how a version
// came to its state.
import { AtelierError, type NodeVersion } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { wrongCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { type Asked, readAnswer } from "../server/over-http.ts";
import { findingLine } from "./node-manifest.ts";

const at = (...parts: readonly string[]) => `/${parts.map(encodeURIComponent).join("/")}`;

export async function createPublisher({ call, atelier }: Asked): Promise<CommandResult> {
  const [id = ""] = call.words;
  if (!/^[a-z][a-z0-9-]*$/.test(id))
    throw wrongCall("nodes", [
      `"${id}" is not a valid publisher id: use lowercase letters, digits and hyphens, starting with a letter.`,
    ]);
  const made = await atelier.registry
    .createPublisher({ id, name: call.text("name") ?? id })
    .catch((thrown: unknown) => ownPublisher(atelier, id, thrown));
  const afterwards = `Next: atelier nodes init my-node --publisher ${id}     for CI: atelier nodes token ${id}`;
  return { data: made, text: `✓ ${id} is a publisher of your workspace`, afterwards };
}

// The id is taken, but by the caller: then there is nothing left to do.
async function ownPublisher(atelier: Asked["atelier"], id: string, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof AtelierError) || thrown.status !== 409) throw thrown;
  const own: readonly { readonly id?: string }[] = await readAnswer(atelier.request("/users/publishers/"));
  const found = own.find((publisher) => publisher.id === id);
  if (found === undefined)
    throw new ClientProblem("rejected_input", thrown.code, `The publisher id ${id} belongs to another workspace.`, {
      hint: "choose another id; it is part of your nodes' URLs",
    });
  return found;
}

export async function createToken({ call, input, atelier }: Asked): Promise<CommandResult> {
  const [publisher = ""] = call.words;
  const json = { name: call.text("name") ?? "command line" };
  const made: { readonly id: string; readonly token: string } = await readAnswer(
    atelier.request(at("publishers", publisher, "tokens"), { method: "POST", json }),
  );
  input.say("Shown only once. It can only publish for this publisher; set it as ATELIER_PUBLISHER_TOKEN.");
  return { data: made, text: made.token };
}

// Resolves my-node@1.2.0 to the registry's id of the version and its publisher.
async function numbered({ call, atelier }: Asked) {
  const [, nodeId, number] = /^([^@]+)@(.+)$/.exec(call.words[0] ?? "") ?? [];
  if (nodeId === undefined || number === undefined)
    throw wrongCall("nodes", ["Pass a version, such as my-node@1.2.0."]);
  const [node, version] = await Promise.all([
    atelier.registry.get(nodeId),
    readAnswer<NodeVersion>(atelier.request(at("nodes", nodeId, "versions", number))),
  ]);
  const publisher = node.publisher?.id;
  if (publisher === undefined) throw new ClientProblem("not_there", "not_found", `${nodeId} has no publisher.`);
  return { version, path: at("publishers", publisher, "nodes", node.id, "versions", version.id) };
}

export async function deprecate(asked: Asked): Promise<CommandResult> {
  const { version, path } = await numbered(asked);
  const deprecated = !asked.call.has("undo");
  const changed: NodeVersion = await readAnswer(asked.atelier.request(path, { method: "PUT", json: { deprecated } }));
  const name = `${version.node_id} ${version.version}`;
  return { data: changed, text: deprecated ? `✓ ${name} is deprecated` : `✓ ${name} is no longer deprecated` };
}

interface Review {
  readonly node_version: NodeVersion;
  readonly rule_set?: string;
  readonly findings: NonNullable<NodeVersion["findings"]>;
  readonly history: readonly {
    readonly at: string;
    readonly status_after: string;
    readonly by: string;
    readonly reason?: string;
  }[];
}

export async function review(asked: Asked): Promise<CommandResult> {
  const { version, path } = await numbered(asked);
  const review: Review = await readAnswer(asked.atelier.request(`${path}/review`));
  const state = stateOf(review.node_version.status);
  const isWell = state === "active";
  const head = `${isWell ? "✓" : "✕"} ${version.node_id} ${version.version} is ${state}`;
  const rules = review.rule_set === undefined ? "" : `   checked with ${review.rule_set}`;
  const moves = review.history.map(
    (move) =>
      `  ${move.at}  ${stateOf(move.status_after)}  by ${move.by}${move.reason === undefined ? "" : `  ${move.reason}`}`,
  );
  return {
    data: review,
    text: [`${head}${rules}`, ...review.findings.map(findingLine), ...moves].join("\n"),
    ...(isWell
      ? {}
      : { afterwards: wayOut(version.node_id), exitCode: exitCodes.check_failed, problem: `It is ${state}.` }),
  };
}

// A flagged version is not lost: either the code changes, or an operator decides.
export const wayOut = (nodeId: string): string =>
  `Next: fix the findings and publish a higher version, or ask the registry's operator to approve this one (PUT /admin/nodes/${nodeId}/versions/<number>, docs/REGISTRY.md).`;

export const stateOf = (status: string): string => status.replace("NodeVersionStatus", "").toLowerCase();
