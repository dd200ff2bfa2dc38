// How tools answer: with text, and with failures as results that say what to do, so that an agent can fix its next call.
import { AtelierError, JobFailed, PriceAboveLimit } from "@atelier/sdk";
import { type CallToolResult, type ContentBlock, fromJsonSchema } from "@modelcontextprotocol/server";

// Compiled once: a server is created for every message, and compiling the inputs of all its tools would take most of the turn.
const made = new Map<string, unknown>();

// A tool's input: these members, of which the required ones must be present, and no others. If a misspelt argument were
// ignored, the tool would answer a question that the agent did not ask.
export function taking<Input>(properties: Record<string, object>, required: readonly (keyof Input & string)[] = []) {
  const needed = required.length === 0 ? {} : { required: [...required] };
  const schema = { type: "object", properties, ...needed, additionalProperties: false } as const;
  const text = JSON.stringify(schema);
  const known = made.get(text);
  if (isMade<Input>(known)) return known;
  const fresh = namingUnknown(fromJsonSchema<Input>(schema), Object.keys(properties));
  made.set(text, fresh);
  return fresh;
}

// The schema alone would report that something is not allowed, but not what.
function namingUnknown<Schema extends ReturnType<typeof fromJsonSchema>>(
  schema: Schema,
  names: readonly string[],
): Schema {
  const standard = schema["~standard"];
  const validate: typeof standard.validate = (data) => {
    const unknown = Object.keys(Object(data)).filter((name) => !names.includes(name));
    if (unknown.length === 0) return standard.validate(data);
    const known = names.length === 0 ? "this tool takes no arguments" : `allowed: ${names.join(", ")}`;
    return { issues: [{ message: `unknown argument: ${unknown.join(", ")}; ${known}` }] };
  };
  return { ...schema, "~standard": { ...standard, validate } };
}

export const takingNothing = taking<Record<string, never>>({});

// The cache is ours; what it holds for a schema's text was compiled from that schema.
function isMade<Input>(known: unknown): known is ReturnType<typeof fromJsonSchema<Input>> {
  return known !== undefined;
}

export function toolResult(value: unknown, ...more: ContentBlock[]): CallToolResult {
  const text = JSON.stringify(value, (_name, each: unknown) => (typeof each === "bigint" ? `${each}` : each), 1);
  return { content: [{ type: "text", text }, ...more] };
}

export async function answering(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof AtelierError) return failed(factsOf(thrown));
    if (thrown instanceof JobFailed)
      return failed({
        job_id: thrown.job.id,
        status: thrown.job.status,
        error: thrown.job.error,
        what_to_do: "Fix the node named in error, then run the workflow again.",
      });
    throw thrown;
  }
}

// The next step, for errors that an agent can do something about. The rest it should report to its user.
const nextSteps: Readonly<Record<string, string>> = {
  invalid_input: "Read describe_model, or the tool's own schema, fix the fields named in details, and call again.",
  invalid_workflow: "Fix the nodes named in details (describe_node_class says what each takes), and run it again.",
  workflow_format_ui:
    "The workflow is in the editor's format and could not be converted; details names the classes and problems.",
  missing_asset: "Use a file that exists; get_picture and get_job show ids.",
  model_not_found: "Use an id from list_models.",
  not_found: "Use an id from list_jobs or from the outputs of get_job, or a name from list_node_classes.",
  content_policy_violation: "Change the request; the same one would be refused again.",
  insufficient_credits:
    "Do not retry: the key's owner must add credits or raise its cap. get_balance shows the credits left.",
  forbidden: "Do not retry: this key is not allowed to do that.",
  cancelled: "It was cancelled and cost nothing. Submit it again if you still need it.",
  request_not_found: "Use the model and request_id from submit_model_request; results are kept for 24 hours.",
  cancel_refused: "It keeps running: collect it with get_model_request.",
  already_completed: "Collect it with get_model_request.",
  deadline_exceeded: "Call again with the same idempotency_key to collect the result; it is charged once.",
};

function nextStep(error: AtelierError): object {
  const { code, isRetryable, retryAfterSeconds } = error;
  if (error instanceof PriceAboveLimit)
    return { what_to_do: "Nothing ran. Request less, or call again with a higher max_credits if you may spend that." };
  const own = Object.hasOwn(nextSteps, code) ? nextSteps[code] : undefined;
  if (own !== undefined) return { what_to_do: own };
  return isRetryable ? { what_to_do: `Wait ${retryAfterSeconds ?? 5} s and call again.` } : {};
}

function factsOf(error: AtelierError): object {
  return {
    error: error.code,
    message: error.message,
    ...nextStep(error),
    ...(error.details === undefined ? {} : { details: error.details }),
    request_id: error.requestId,
    ...(error.isRetryable ? { retry_after_seconds: error.retryAfterSeconds ?? 5 } : {}),
    billed: error.billed,
  };
}

const failed = (facts: object): CallToolResult => ({ ...toolResult(facts), isError: true });
