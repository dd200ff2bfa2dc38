// How tools answer: text, and failures as results that say what to do, so that an agent can mend its next call.
import { AtelierError, JobFailed } from "@atelier/sdk";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

export function told(value: unknown, ...more: ContentBlock[]): CallToolResult {
  const text = JSON.stringify(value, (_name, each: unknown) => (typeof each === "bigint" ? `${each}` : each), 1);
  return { content: [{ type: "text", text }, ...more] };
}

export async function answering(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof AtelierError) return failed(factsOf(thrown));
    if (thrown instanceof JobFailed)
      return failed({ job_id: thrown.job.id, status: thrown.job.status, error: thrown.job.error });
    throw thrown;
  }
}

function factsOf(error: AtelierError): object {
  return {
    error: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    request_id: error.requestId,
    ...(error.isRetryable ? { retry_after_seconds: error.retryAfterSeconds ?? 5 } : {}),
    billed: error.billed,
  };
}

const failed = (facts: object): CallToolResult => ({ ...told(facts), isError: true });
