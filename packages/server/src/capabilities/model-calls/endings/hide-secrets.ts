// What a provider says about a call that did not complete becomes our text once we store, return and deliver it. So we
// search it for every secret of the server and the workspace. A result is the provider's own bytes, and we do not touch it
// (decision 0026).

import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type Hiding, type KnownSecrets, removedWords } from "../../../foundation/known-secrets.ts";
import type { Attempt, Outcome } from "../../providers/index.ts";

export interface HidingDeps {
  // If absent, nothing is searched for.
  readonly known?: Pick<KnownSecrets, "ofWorkspace">;
}

export interface Said {
  readonly outcome: Outcome;
  readonly attempts: readonly Attempt[];
}

export async function hideSecrets({ known }: HidingDeps, workspaceId: WorkspaceId, said: Said): Promise<Said> {
  const isSaid =
    (said.outcome.kind !== "completed" && said.outcome.kind !== "ran") ||
    said.attempts.some(({ words }) => words !== null);
  if (known === undefined || !isSaid) return said;
  // If the workspace's secrets cannot be looked up, we pass on nothing the provider said.
  const hiding = await known.ofWorkspace(workspaceId).catch(() => hidesAll);
  return {
    outcome: hidden(said.outcome, hiding),
    attempts: said.attempts.map((attempt) => ({ ...attempt, words: hiddenWords(attempt.words, hiding) })),
  };
}

// Words of a hook that saw the input.
export async function hideInWords(
  { known }: HidingDeps,
  workspaceId: WorkspaceId,
  words: string | null,
): Promise<string | null> {
  if (known === undefined || words === null) return words;
  return hiddenWords(words, await known.ofWorkspace(workspaceId).catch(() => hidesAll));
}

const hidesAll: Hiding = { text: () => removedWords, json: () => Buffer.from("[]") };

function hidden(outcome: Outcome, hiding: Hiding): Outcome {
  switch (outcome.kind) {
    case "refused":
      return { ...outcome, message: hiddenWords(outcome.message, hiding) };
    case "rejected_input": {
      const { message, detail } = outcome;
      const clean = detail === null ? null : hiding.json(Buffer.from(detail)).toString("utf8");
      return { ...outcome, message: hiddenWords(message, hiding), detail: clean };
    }
    case "failed": {
      const { refusedAccount } = outcome;
      if (!refusedAccount) return outcome;
      return { ...outcome, refusedAccount: { ...refusedAccount, words: hiddenWords(refusedAccount.words, hiding) } };
    }
    case "not_run": {
      const { code, message, details, retryAfterSeconds } = outcome.fault;
      const kept = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      return { ...outcome, fault: new Fault(code, hiding.text(message), { details, ...kept }) };
    }
    default:
      return outcome;
  }
}

function hiddenWords(words: string | null, hiding: Hiding): string | null {
  return words === null ? null : hiding.text(words);
}
