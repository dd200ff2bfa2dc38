// Public templates as works: saved, given the form that the server finds, published with an example that runs, and called.
import type { RunnableTemplate } from "./runnable-templates.ts";

export interface WorkMade {
  // Where the form came from: app_mode or inferred.
  readonly source: string;
  readonly inputs: number;
  readonly files: number;
}

// The answer's JSON; throws at any refusal.
export type Ask = (method: "GET" | "POST" | "PUT", path: string, body?: unknown) => Promise<unknown>;

interface Answered {
  readonly outputs: Readonly<Record<string, readonly { readonly bytes: number }[]>>;
}

// Its input files are uploaded already.
export async function becomeWork({ name, workflow }: RunnableTemplate, ask: Ask): Promise<WorkMade> {
  const { id } = (await ask("POST", "/account/workflows", { name, document: workflow })) as { id: string };
  const { form, source } = (await ask("GET", `/account/workflows/${id}/form`)) as {
    form: { inputs: unknown[]; outputs: unknown[] };
    source: string;
  };
  const slug = name
    .replace(/(\.app)?\.json$/, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  // Without a form the server takes this one. Sent back from here, bounds beyond 2^53 would have lost digits.
  const work = (await ask("PUT", `/account/works/${slug}`, { workflow_id: id })) as { id: string };
  const { outputs } = (await ask("POST", `/v1/models/${work.id}`, {})) as Answered;
  const made = Object.values(outputs);
  if (made.length !== form.outputs.length || made.some((files) => files.length === 0))
    throw new Error(`Its form promises ${form.outputs.length} outputs, and the call made ${JSON.stringify(outputs)}`);
  return { source, inputs: form.inputs.length, files: made.flat().length };
}
