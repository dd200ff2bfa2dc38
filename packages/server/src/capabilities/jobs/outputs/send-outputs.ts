// Sends outputs to the target of their job's submission, in addition to storing them: at least once, ten attempts, by
// whichever process has a free slot. A delivery never delays or fails its job. Bytes are streamed from the blob store into
// one guarded PUT, so memory does not grow with their size. A target's answer is reported in general terms only, as with
// webhooks.
import { Readable } from "node:stream";
import type { Background } from "../../../foundation/background.ts";
import { isByteSource, streamOf } from "../../../foundation/byte-source.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { GuardedClient, GuardedOutcome } from "../../../foundation/http/outgoing/guarded-client.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Asset, Assets } from "../../assets/index.ts";
import type { Sealer } from "../../secrets/index.ts";
import { addressOf, type OutputTarget, openTarget, targetContext } from "./output-target.ts";
import { signS3Put } from "./s3-signature.ts";
import { type ClaimedOutput, claimOutputs, forgetTargets, renewOutputs, settleOutput } from "./target-store.ts";

export interface OutputSenderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly assets: Pick<Assets, "get" | "content">;
  readonly client: Pick<GuardedClient, "request">;
  // Returns Standard Webhooks headers for a text, signed with the workspace's secrets.
  readonly sign: (
    workspaceId: WorkspaceId,
    id: string,
    text: string,
    at: Date,
  ) => Promise<Readonly<Record<string, string>>>;
  readonly userAgent: string;
  onAttempt?(outcome: "delivered" | "failed" | "dead"): void;
}

const slotsMax = 16;
const slotsPerWorkspaceMax = 4;
const leaseSeconds = 120;
const renewEveryMs = 30_000;
const minute = 60;
// The delay before each attempt, counted from the one before.
export const outputDelaysSeconds: readonly number[] = [
  0,
  5,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  60 * minute,
  120 * minute,
  240 * minute,
  480 * minute,
];
// A minute, plus what a slow connection needs for large bytes.
const slowBytesPerMs = 128;
const totalMsMax = 6 * 3_600_000;

export class OutputSender {
  readonly #deps: OutputSenderDeps;
  readonly #underWay = new Map<string, { readonly workspaceId: WorkspaceId; readonly done: Promise<void> }>();
  #renewAtMs = Number.NEGATIVE_INFINITY;
  #hasMore = false;

  constructor(deps: OutputSenderDeps) {
    this.#deps = deps;
  }

  // Starts what is due and fits; does not wait for it.
  async round(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#deps;
    const nowMs = clock.monotonicMs();
    if (this.#underWay.size > 0 && nowMs >= this.#renewAtMs) {
      await renewOutputs(database, [...this.#underWay.keys()], leaseSeconds);
      this.#renewAtMs = nowMs + renewEveryMs;
    }
    const count = slotsMax - this.#underWay.size;
    if (count <= 0 || signal.aborted) return;
    const most = Math.min(count, slotsPerWorkspaceMax);
    const claimed = await claimOutputs(database, {
      count: most,
      leaseSeconds,
      leftOut: this.#full(),
    });
    this.#hasMore = claimed.length === most;
    for (const output of claimed) this.#begin(output, signal);
  }

  // While claims come back full, we look again soon.
  pauseMs(): number {
    return this.#hasMore ? 50 : 1_000;
  }

  // Resolves when everything started so far has ended.
  async idle(): Promise<void> {
    await Promise.all([...this.#underWay.values()].map(({ done }) => done));
  }

  forget(): Promise<number> {
    return forgetTargets(this.#deps.database, null);
  }

  #full(): WorkspaceId[] {
    const counts = new Map<WorkspaceId, number>();
    for (const { workspaceId } of this.#underWay.values()) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= slotsPerWorkspaceMax).map(([workspaceId]) => workspaceId);
  }

  #begin(output: ClaimedOutput, signal: AbortSignal): void {
    const done = this.#attempt(output, signal)
      .catch((err: unknown) =>
        this.#deps.log.warn({ err, jobId: output.jobId }, "the result of an output delivery could not be stored"),
      )
      .finally(() => this.#underWay.delete(output.id));
    this.#underWay.set(output.id, { workspaceId: output.workspaceId, done });
  }

  async #attempt(output: ClaimedOutput, signal: AbortSignal): Promise<void> {
    const { database, sealer } = this.#deps;
    const { id, attempts, jobId, workspaceId } = output;
    const target = openTarget(sealer, targetContext(workspaceId, jobId), output.envelope);
    const problem = target === null ? gone : await this.#send(output, target, signal);
    // We are shutting down: the lease expires, and another process continues.
    if (signal.aborted && problem !== null) return;
    const next = problem === gone ? undefined : outputDelaysSeconds[attempts];
    const status = problem === null ? "delivered" : next === undefined ? "dead" : "pending";
    await settleOutput(database, { id, attempts, status, afterSeconds: next ?? 0, error: problem });
    this.#deps.onAttempt?.(status === "pending" ? "failed" : status);
    if (status !== "pending") await forgetTargets(database, jobId);
  }

  // Null if it was delivered.
  async #send(output: ClaimedOutput, target: OutputTarget, signal: AbortSignal): Promise<string | null> {
    const { assets, client, log, clock } = this.#deps;
    let asset: Asset;
    try {
      asset = await assets.get({ workspaceId: output.workspaceId, assetId: output.assetId });
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === "not_found") return gone;
      throw thrown;
    }
    const url = addressOf(target, output);
    const headers = await this.#headersOf(output, target, asset, new URL(url), clock.now());
    const body = await this.#open(asset);
    const totalMs = Math.min(totalMsMax, 60_000 + asset.size / slowBytesPerMs);
    const outcome = await client.request({ url, method: "PUT", headers, body, totalMs, signal });
    body.destroy();
    if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300) return null;
    log.info({ deliveryId: output.id, jobId: output.jobId, reason: reasonOf(outcome) }, "an output delivery failed");
    return outcome.kind === "answered" ? `The target answered ${outcome.status}.` : "The target could not be reached.";
  }

  async #headersOf(output: ClaimedOutput, target: OutputTarget, asset: Asset, url: URL, at: Date) {
    const plain = {
      "content-type": asset.contentType,
      "content-length": String(asset.size),
      "user-agent": this.#deps.userAgent,
    };
    if (target.kind === "s3") return signS3Put({ ...target, url, headers: plain, at });
    const hash = `blake3:${asset.hash}`;
    const signed = await this.#deps.sign(output.workspaceId, output.id, hash, at);
    return { ...plain, ...signed, "x-service-job-id": output.jobId, "x-service-content-hash": hash };
  }

  async #open(asset: Asset): Promise<Readable> {
    const answer = await this.#deps.assets.content(
      asset,
      { method: "GET", headers: {} },
      { cacheControl: "no-store", asAttachment: true },
    );
    const body = "body" in answer ? answer.body : null;
    if (body instanceof Readable) return body;
    if (typeof body === "object" && body !== null && !(body instanceof Uint8Array) && isByteSource(body))
      return streamOf(body);
    return Readable.from(body instanceof Uint8Array ? [body] : []);
  }
}

export async function runSender(sender: OutputSender, background: Background, signal: AbortSignal): Promise<void> {
  const forgets = { everyMs: 60_000, begins: "after_pause" as const, round: () => sender.forget() };
  await Promise.all([
    background.run(
      {
        name: "jobs: put outputs into their targets",
        role: "webhooks",
        everyMs: () => sender.pauseMs(),
        round: (stop) => sender.round(stop),
      },
      signal,
    ),
    background.run({ name: "jobs: forget targets that are done with", role: "background", ...forgets }, signal),
  ]);
  await sender.idle();
}

const gone = "The target or the output is gone.";

const reasonOf = (outcome: GuardedOutcome) =>
  outcome.kind === "answered" ? `answered ${outcome.status}` : `${outcome.kind} ${outcome.reason}`;
