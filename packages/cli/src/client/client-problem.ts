// What went wrong between here and the server: one sentence, where it was, what to do next, and the request's id.
import type { ExitKind } from "../exit-codes.ts";

export class ClientProblem extends Error {
  readonly kind: ExitKind;
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  // One line for each field or node that was wrong.
  readonly lines: readonly string[];

  constructor(
    kind: ExitKind,
    code: string,
    message: string,
    more: { hint?: string; requestId?: string; lines?: readonly string[] } = {},
  ) {
    super(message);
    this.name = "ClientProblem";
    this.kind = kind;
    this.code = code;
    this.hint = more.hint;
    this.requestId = more.requestId;
    this.lines = more.lines ?? [];
  }
}

export function unreachable(baseUrl: string, error: unknown): ClientProblem {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "no connection";
  return new ClientProblem("unreachable", "unreachable", `The server at ${baseUrl} does not answer (${reason}).`, {
    hint: "start it with: npm start     or say where it is: --base-url, ATELIER_BASE_URL",
  });
}

export async function problemOfAnswer(response: Response, hadKey: boolean): Promise<ClientProblem> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  const { code, message, details } = readError(text, status);
  const requestId = response.headers.get("x-service-request-id") ?? undefined;
  const lines = linesOf(details);
  const hint = hintOf(status, hadKey, response.headers.get("retry-after"));
  return new ClientProblem(kindOf(status, code), code, `${message} (${code}, ${status})`, {
    ...(hint === undefined ? {} : { hint }),
    ...(requestId === undefined ? {} : { requestId }),
    lines,
  });
}

function readError(text: string, status: number): { code: string; message: string; details: unknown } {
  try {
    const body: { error?: { code?: string; message?: string; details?: unknown } } = JSON.parse(text);
    const { error } = body;
    if (error?.code !== undefined && error.message !== undefined)
      return { code: error.code, message: error.message.replace(/[.]$/, ""), details: error.details };
  } catch {
    // Not ours: a proxy in between answered.
  }
  return { code: "unexpected", message: `The server answered ${status}`, details: undefined };
}

// Errors by node, as the application words them: {node id: {class_type, errors: [{message, details}]}}.
function linesOf(details: unknown): string[] {
  if (typeof details !== "object" || details === null || !("node_errors" in details)) return [];
  const nodes = details.node_errors;
  if (typeof nodes !== "object" || nodes === null) return [];
  return Object.entries(nodes).flatMap(([nodeId, node]: [string, unknown]) => {
    const { class_type: classType, errors } = readNode(node);
    return errors.map(({ message, details: more }) =>
      [`node ${nodeId}`, classType, message, more].filter((part) => part !== undefined && part !== "").join("  "),
    );
  });
}

function readNode(node: unknown): { class_type?: string; errors: { message?: string; details?: string }[] } {
  if (typeof node !== "object" || node === null || !("errors" in node) || !Array.isArray(node.errors))
    return { errors: [] };
  const classType = "class_type" in node && typeof node.class_type === "string" ? node.class_type : undefined;
  return { ...(classType === undefined ? {} : { class_type: classType }), errors: node.errors };
}

function kindOf(status: number, code: string): ExitKind {
  if (status === 401 || status === 403) return "not_allowed";
  if (status === 402) return "no_credit";
  if (status === 404) return "not_there";
  if (status === 429) return "slow_down";
  if (status === 503) return "unreachable";
  if (status === 504) return "time";
  if (code === "content_policy_violation") return "refused";
  return status >= 400 && status < 500 ? "rejected_input" : "unexpected";
}

function hintOf(status: number, hadKey: boolean, retryAfter: string | null): string | undefined {
  if (status === 401 && !hadKey)
    return "no key was found: export ATELIER_API_KEY=service-…   (the first start printed it; atelier keys create makes one)";
  if (status === 401) return "the key is not known there: atelier keys list";
  if (status === 402) return "atelier credits show";
  if (status === 429 && retryAfter !== null) return `try again in ${retryAfter} s`;
  return undefined;
}
