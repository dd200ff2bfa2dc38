// A failure between here and the server: one sentence, where it happened, what to do next, and the request's id.
import type { ExitKind } from "../exit-codes.ts";

interface ProblemFacts {
  readonly hint?: string;
  readonly requestId?: string;
  // One line for each invalid field or node.
  readonly lines?: readonly string[];
  readonly isRetryable?: boolean;
  readonly billed?: "no" | "yes" | "maybe";
}

export class ClientProblem extends Error {
  readonly kind: ExitKind;
  readonly code: string;
  readonly facts: ProblemFacts;

  constructor(kind: ExitKind, code: string, message: string, facts: ProblemFacts = {}) {
    super(message);
    this.name = "ClientProblem";
    this.kind = kind;
    this.code = code;
    this.facts = facts;
  }
}
