// Turns an error of the SDK into a message for the person who typed the command: the bucket decides the exit code, every
// rejected field and node gets a line, and the hint is the next step.
import { type AtelierError, InvalidInput, ModelNotFound, PriceAboveLimit } from "@atelier/sdk";
import { type ExitKind, kindOfStatus } from "../exit-codes.ts";
import { isRecord } from "../json-record.ts";
import { ClientProblem } from "./client-problem.ts";

interface Whom {
  readonly baseUrl: string;
  readonly hasKey: boolean;
  readonly isAdmin: boolean;
  // The command's first word.
  readonly topic?: string | undefined;
  // The command and its verb.
  readonly command?: string | undefined;
  // The data folder whose key we did not send, because another server answers there.
  readonly withheldFrom?: string | undefined;
}

export function explainError(error: AtelierError, whom: Whom): ClientProblem {
  const { status, code, requestId, isRetryable, billed } = error;
  const hint = hintFor(error, whom);
  return new ClientProblem(kindOf(status, code), code, mainSentence(error, whom), {
    lines: detailLines(error),
    isRetryable,
    billed,
    ...(hint === undefined ? {} : { hint }),
    ...(requestId === null ? {} : { requestId }),
  });
}

function mainSentence(error: AtelierError, { baseUrl, hasKey, isAdmin, withheldFrom }: Whom): string {
  const { status, code, requestId } = error;
  const plain = error.message.replace(requestId === null ? "" : ` (request ${requestId})`, "").replace(/[.]$/, "");
  if (status === 0) return unreached(baseUrl, plain.replace(/^.*: /, "")).sentence;
  // The server's message talks about headers, which means nothing on the command line.
  if (status === 401) {
    const what = isAdmin ? "operator token" : "API key";
    if (!hasKey && !isAdmin && withheldFrom !== undefined)
      return `The server at ${baseUrl} requires an API key. It is not the server of ${withheldFrom}, so that folder's key was not sent.`;
    return hasKey ? `The server at ${baseUrl} rejected this ${what}.` : `The server at ${baseUrl} requires an ${what}.`;
  }
  if (error instanceof InvalidInput && error.fields.length > 0)
    return `The input was rejected (${code}, ${status}). Nothing was charged.`;
  return `${plain} (${code}, ${status}).`;
}

// Why no answer came, in the connection's words.
function unreached(baseUrl: string, reason: string): { readonly sentence: string; readonly hint: string } {
  if (/^HPE_/.test(reason))
    return {
      sentence: `The program at ${baseUrl} does not speak HTTP (${reason}).`,
      hint: "set the server's address: --base-url, ATELIER_URL",
    };
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(reason))
    return {
      sentence: `The program at ${baseUrl} does not speak TLS (${reason}).`,
      hint: `try without TLS: --base-url ${baseUrl.replace(/^https/, "http")}`,
    };
  if (/ERR_INVALID_CHAR/.test(reason))
    return {
      sentence: "The API key or token contains an invalid character.",
      hint: "copy it again: ATELIER_API_KEY or --key",
    };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(reason))
    return {
      sentence: `The certificate of ${baseUrl} is not trusted (${reason}).`,
      hint: "set NODE_EXTRA_CA_CERTS=<file> to trust another certificate authority",
    };
  return {
    sentence: `Cannot reach the server at ${baseUrl} (${reason}).`,
    hint: "start it: atelier serve     or set its address: --base-url, ATELIER_URL",
  };
}

const kindOfCode: Readonly<Record<string, ExitKind>> = {
  content_policy_violation: "refused",
  provider_timeout: "time",
  deadline_exceeded: "time",
  timed_out: "time",
  connection_failed: "unreachable",
  client_disconnected: "unreachable",
  provider_error: "ran_and_failed",
  not_enabled: "not_there",
  cancelled: "interrupted",
  queue_timeout: "time",
};

export function kindOf(status: number, code: string): ExitKind {
  const own = Object.hasOwn(kindOfCode, code) ? kindOfCode[code] : undefined;
  return own ?? kindOfStatus(status);
}

function hintFor(error: AtelierError, { baseUrl, hasKey, isAdmin, topic, command }: Whom): string | undefined {
  const { status, code, retryAfterSeconds, isRetryable, requestId } = error;
  if (status === 0) return unreached(baseUrl, error.message.replace(/[.]$/, "").replace(/^.*: /, "")).hint;
  if (status === 401 && isAdmin)
    return "export ATELIER_ADMIN_TOKEN=…   (the server's setting, or a token created with the admin API)";
  if (status === 401 && !hasKey)
    return "export ATELIER_API_KEY=service-…   or: atelier login   (create a key on the server's machine: atelier keys create <name>)";
  if (status === 401) return "check the key: atelier keys list   (it may be revoked or expired)";
  if (status === 402) return "see the balance: atelier credits show";
  if (error instanceof PriceAboveLimit)
    return `see the cost: --dry-run     or raise the limit: --max-credits ${error.highest ?? "…"}`;
  if (status === 422 && command === "works publish") return fieldsHint(topic, command);
  if (error instanceof InvalidInput && error.fields.length > 0) return fieldsHint(topic, command);
  if (unknownClasses(error.details).length > 0) return "list the available classes: atelier classes ls";
  if (error instanceof ModelNotFound) return "list the available models: atelier models list";
  if (retryAfterSeconds !== null) return `try again in ${retryAfterSeconds} s`;
  if (/^webhook_url /.test(error.message))
    return "use a public https URL; to allow a receiver on the server's own machine: atelier webhooks allow 127.0.0.1:8765";
  if (status === 404 && error.message.startsWith("There is nothing at this path"))
    return `${baseUrl} does not support this; proxies and deployments serve jobs and assets only. Set the server's address: --base-url, ATELIER_URL`;
  const [, missing = ""] = /^There is no such (\w+)/.exec(error.message) ?? [];
  if (status === 404 && Object.hasOwn(listOf, missing)) return `list them: ${listOf[missing]}`;
  if (status === 403 && /\b(flagged|banned)\b/i.test(error.message))
    return "the registry's operators blocked it; choose another version or node: atelier nodes search <words>";
  if (/Only the operator of this server can (fix|mend)/.test(error.message))
    return "send the request id to the server's operator, or use another model: atelier models list";
  if (status === 413) return "send less; upload large files first and refer to them: atelier assets put <file>";
  const own = Object.hasOwn(hintOfCode, code) ? hintOfCode[code] : undefined;
  if (own !== undefined) return own;
  if (isRetryable) return "try again";
  return status >= 500 && requestId !== null ? "send the request id to the server's operator" : undefined;
}

function fieldsHint(topic: string | undefined, command: string | undefined): string {
  if (command === "works publish")
    return `see what the form can contain: atelier workflows form ${topic ?? "<workflow>"} --all`;
  if (command === "works run") return `see its inputs: atelier works show ${topic ?? "<work>"}`;
  return `see the fields: atelier models schema ${topic ?? "<model>"}`;
}

const listOf: Readonly<Record<string, string>> = {
  work: "atelier works ls",
  job: "atelier jobs ls",
  asset: "atelier assets ls",
  node: "atelier nodes search <words>",
  delivery: "atelier webhooks log",
};

const hintOfCode: Readonly<Record<string, string>> = {
  forbidden: "create a key with other scopes: atelier keys create <name> --scopes …   (see this one's: atelier whoami)",
  invalid_workflow: "fix the graph and run it again; see a class's inputs: atelier classes show <class>",
  missing_asset: "upload it first: atelier assets put <file>   or pass the file: -i node.input=@file",
  content_policy_violation: "change the input; the same one will be refused again",
  provider_error: "try again, or try another model: atelier models list",
  request_not_found: "list them: atelier requests ls --queued   (results are kept for a day)",
  cancel_refused: "it is still running; get its result: atelier requests get <id>",
  already_completed: "get its result: atelier requests get <id>",
  idempotency_key_reuse: "use a different --idempotency-key for a different input",
};

function detailLines(error: AtelierError): string[] {
  if (error instanceof InvalidInput && error.fields.length > 0)
    return inColumns(
      error.fields.map(({ loc, type, msg }) => [loc.slice(1).join(".") || "body", type ?? "", msg ?? ""]),
    );
  const nodes = nodeLines(error.details);
  const lines = [
    ...(nodes.length > 0 ? nodes : unknownLines(error.details)),
    ...problemLines(error.details),
    ...placedLines(error.details),
  ];
  return lines.length <= linesMax ? lines : [...lines.slice(0, linesMax), `… and ${lines.length - linesMax} more`];
}

const linesMax = 50;

// From a graph that could not be converted: {problems: [sentence]}.
function problemLines(details: unknown): string[] {
  const problems = isRecord(details) ? details["problems"] : undefined;
  return Array.isArray(problems) ? problems.filter((each) => typeof each === "string") : [];
}

// From a form: [{path: "/inputs/3", message}]. A single one is in the sentence already, and so are those of a query.
function placedLines(details: unknown): string[] {
  const placed = (Array.isArray(details) ? details.filter(isRecord) : []).flatMap(({ path, message }) =>
    typeof path === "string" && path.startsWith("/") && typeof message === "string"
      ? [[path.slice(1).replaceAll("/", "."), message]]
      : [],
  );
  return placed.length < 2 ? [] : inColumns(placed);
}

// From a graph in the editor's format, which has no errors by node.
function unknownLines(details: unknown): string[] {
  return unknownClasses(details).map((name) => `unknown class  ${name}`);
}

function unknownClasses(details: unknown): string[] {
  const names = isRecord(details) ? details["unknown_classes"] : undefined;
  return Array.isArray(names) ? names.filter((each) => typeof each === "string") : [];
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const width = (at: number) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((text, at) => text.padEnd(width(at)))
      .filter((text) => text !== "")
      .join("   ")
      .trimEnd(),
  );
}

// Errors by node, as the application words them: {node id: {class_type, errors: [{message, details}]}}.
function nodeLines(details: unknown): string[] {
  const nodes = isRecord(details) ? details["node_errors"] : undefined;
  if (!isRecord(nodes)) return [];
  return Object.entries(nodes).flatMap(([nodeId, node]) => {
    if (!isRecord(node) || !Array.isArray(node["errors"])) return [];
    const classType = node["class_type"];
    return node["errors"]
      .filter(isRecord)
      .map(({ message, details: more }) =>
        [`node ${nodeId}`, classType, message, more]
          .filter((part): part is string => typeof part === "string" && part !== "")
          .join("  "),
      );
  });
}
