import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CallOpening, RecordedAnswer } from "../call/call-opening.ts";
import type { Begun } from "../protocol/calls.ts";
import { beginPaidCall, type PaidCall } from "./begin-paid-call.ts";

const workspaceId = newId<"workspace">();
const apiKeyId = newId<"key">();
const callId = newId<"call">();
const answer: RecordedAnswer = { status: 200, headers: {}, body: Buffer.from("{}") };
const capReached = new Fault("insufficient_credits", "The cap is reached.");

// One run: the verdicts that begin returns in turn, and whether the cap admits the call.
function aCourse(says: readonly Begun[], cap: Fault | null = null) {
  const turns = says.values();
  const begun: CallOpening[] = [];
  const steps: string[] = [];
  const deps = {
    clock: handClock(),
    calls: {
      async begin(opening: CallOpening | Omit<CallOpening, "id">) {
        assert.ok("id" in opening);
        begun.push(opening);
        steps.push("begin");
        const next = turns.next().value;
        assert.ok(next);
        return next;
      },
      replay: async () => answer,
    },
    caps: {
      neededFor: async () => ({ kind: "reservation" }) as const,
      async requireWithinCap() {
        steps.push("cap");
        if (cap !== null) throw cap;
      },
      async giveBack() {
        steps.push("give back");
      },
    },
  };
  const paid = (changes: Partial<PaidCall<string, string>> = {}): PaidCall<string, string> => ({
    opening: {
      workspaceId,
      subject: "model:a/b",
      idempotencyKey: "key",
      fingerprint: Buffer.alloc(32),
      hold: 10n,
      priceRecordId: null,
      takesSlot: true,
      isCostly: false,
      slotsMax: 1,
      costlySlotsMax: 1,
      recovery: "ask",
      longestRunSeconds: 60,
      apiKeyId,
    },
    context: (at) => at.toISOString(),
    refusal: null,
    replayed: () => "replayed",
    joined: async () => "joined",
    words: {
      what: "call",
      mismatch: () => new Fault("conflict", "another request"),
      answerGone: () => new Fault("conflict", "gone"),
      noSlot: () => new Fault("concurrency_limit_exceeded", "no slot"),
    },
    ...changes,
  });
  return { begun, steps, pay: (changes?: Partial<PaidCall<string, string>>) => beginPaidCall(deps, paid(changes)) };
}

const owned = { id: callId, workspaceId, fence: 1, maySend: () => true };

describe("a paid call", () => {
  test("that begins keeps what the cap reserved, and its context is the one that a successor reads", async () => {
    const { begun, steps, pay } = aCourse([{ kind: "begun", call: owned, inFlight: 1 }]);
    const paid = await pay();
    assert.deepEqual(steps, ["cap", "begin"]);
    assert.equal(paid.kind === "begun" && paid.context, begun[0]?.context);
  });

  test("that does not begin gives back what the cap reserved, whatever the reason", async () => {
    const reasons: Begun[] = [
      { kind: "replay", callId, answeredAt: new Date() },
      { kind: "join", callId },
      { kind: "mismatch" },
      { kind: "no_slot", inFlight: 1 },
      { kind: "no_credit", available: 0n },
    ];
    for (const reason of reasons) {
      const { steps, pay } = aCourse([reason]);
      await pay().catch(() => undefined);
      assert.deepEqual(steps, ["cap", "begin", "give back"], reason.kind);
    }
  });

  test("with a reached cap or a bad request is looked up first, so a retry still gets its answer", async () => {
    const replay: Begun = { kind: "replay", callId, answeredAt: new Date() };
    const reached = aCourse([replay], capReached);
    assert.deepEqual(await reached.pay(), { kind: "known", callId, known: "replayed" });
    assert.equal(reached.begun[0]?.isValid, false);
    const wrong = aCourse([replay]);
    await wrong.pay({ refusal: new Fault("invalid_json", "wrong") });
    assert.deepEqual(wrong.steps, ["begin"]);
  });

  test("that is not known under its key is refused with its own reason", async () => {
    await assert.rejects(aCourse([{ kind: "invalid" }], capReached).pay(), capReached);
    const away = new Fault("service_unavailable", "no room");
    const { steps, pay } = aCourse([{ kind: "invalid" }]);
    await assert.rejects(pay({ hindrance: async () => away }), away);
    assert.deepEqual(steps, ["begin"]);
  });

  test("that joined one whose key came free begins itself, under another id", async () => {
    const { begun, steps, pay } = aCourse([
      { kind: "join", callId },
      { kind: "begun", call: owned, inFlight: 1 },
    ]);
    const paid = await pay({ joined: async () => null });
    assert.equal(paid.kind, "begun");
    assert.deepEqual(steps, ["cap", "begin", "give back", "cap", "begin"]);
    assert.notEqual(begun[0]?.id, begun[1]?.id);
  });
});
