// Tools for v2: workflows, jobs and the images they made.
import { type Asset, type Atelier, type Graph, type Job, JobFailed, type JobMetadata, type Output } from "@atelier/sdk";
import type { ContentBlock, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { maxCredits } from "./estimate-tools.ts";
import { linkTo, pictureBlock } from "./pictures.ts";
import { answering, taking, toolResult } from "./tool-answer.ts";

const waitSecondsMax = 600;
const picturesMax = 4;
const nodesMax = 20;
const metadataOf = (description: string) => ({
  anyOf: [
    { type: "string", maxLength: 1024 },
    { type: "object", additionalProperties: { type: "string" } },
  ],
  description,
});
const id = (description: string) => ({ type: "string", format: "uuid", description }) as const;

// In the order in which agents see them.
export function registerJobTools(server: McpServer, atelier: Atelier): void {
  for (const register of [runWorkflow, getJob, listJobs, cancelJob, getPicture]) register(server, atelier);
}

function runWorkflow(server: McpServer, atelier: Atelier): void {
  server.registerTool(
    "run_workflow",
    {
      title: "Run a workflow",
      description:
        'Submits a graph in API format and waits for it: nodes by id, each with class_type and inputs; a link to another node is [node id, output index]; at least one node saves something. For example {"1": {"class_type": "AtelierModelImage", "inputs": {"model": "sandbox/image-1", "prompt": "a harbour", "width": 512, "height": 512, "seed": 7, "parameters": "{}"}}, "2": {"class_type": "ImageInvert", "inputs": {"image": ["1", 0]}}, "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "harbour"}}}. Returns the job, its outputs and small previews. A job that takes longer than wait_seconds keeps running; check it with get_job. If the graph is refused, the error names every invalid node.',
      inputSchema: taking<{
        workflow: Graph;
        wait_seconds?: number;
        metadata?: JobMetadata;
        max_credits?: string | number;
      }>(
        {
          workflow: { type: "object", description: "The graph, in API format or as the editor saves it." },
          wait_seconds: { type: "integer", minimum: 0, maximum: waitSecondsMax, description: "Default: 120." },
          metadata: metadataOf(
            "Stored with the job: a string of at most 1024 bytes, or at most 16 labels as a map of strings.",
          ),
          max_credits: maxCredits,
        },
        ["workflow"],
      ),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ workflow, wait_seconds: seconds = 120, metadata, max_credits: most }, context) =>
      answering(async () => {
        const { signal } = context.mcpReq;
        const job = await atelier.jobs.submit(workflow, {
          signal,
          ...(metadata === undefined ? {} : { metadata }),
          ...(most === undefined ? {} : { maxCredits: most }),
        });
        const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
        try {
          for await (const event of job.events({ signal: limit }))
            if (event.type === "progress") await sendProgress(context, event.progress.value, event.progress.message);
        } catch (thrown) {
          if (signal.aborted || !limit.aborted) throw thrown;
        }
        const ended = await job.refresh({ signal });
        if (ended.status === "failed") throw new JobFailed(ended);
        return toolResult(
          { ...present(ended), credits_used: job.creditsUsed },
          ...(await picturesOf(atelier, ended.outputs)),
        );
      }),
  );
}

function getJob(server: McpServer, atelier: Atelier): void {
  server.registerTool(
    "get_job",
    {
      title: "Get a job",
      description: "Shows a job's progress and its outputs so far, with small previews.",
      inputSchema: taking<{ job_id: string }>({ job_id: id("The job.") }, ["job_id"]),
      annotations: { readOnlyHint: true },
    },
    ({ job_id: jobId }, { mcpReq: { signal } }) =>
      answering(async () => {
        const { current, creditsUsed } = await atelier.jobs.get(jobId, { signal });
        const facts = { ...present(current), credits_used: creditsUsed };
        return toolResult(facts, ...(await picturesOf(atelier, current.outputs)));
      }),
  );
}

function listJobs(server: McpServer, atelier: Atelier): void {
  server.registerTool(
    "list_jobs",
    {
      title: "List jobs",
      description: "Lists your newest jobs.",
      inputSchema: taking<{ status?: string; metadata?: JobMetadata; limit?: number }>({
        status: { type: "string", description: "queued, running, succeeded, failed, canceled or expired." },
        metadata: metadataOf("Only jobs with exactly this string, or with all of these labels."),
        limit: { type: "integer", minimum: 1, maximum: 100, description: "Default: 20." },
      }),
      annotations: { readOnlyHint: true },
    },
    ({ status, metadata, limit = 20 }, { mcpReq: { signal } }) =>
      answering(async () => {
        const jobs: object[] = [];
        for await (const job of atelier.jobs.list({
          signal,
          pageSize: limit,
          ...(status === undefined ? {} : { status }),
          ...(metadata === undefined ? {} : { metadata }),
        })) {
          jobs.push(present(job));
          if (jobs.length === limit) break;
        }
        return toolResult({ jobs });
      }),
  );
}

function cancelJob(server: McpServer, atelier: Atelier): void {
  server.registerTool(
    "cancel_job",
    {
      title: "Cancel a job",
      description: "Cancels a job. A job that has ended does not change.",
      inputSchema: taking<{ job_id: string }>({ job_id: id("The job.") }, ["job_id"]),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    ({ job_id: jobId }, { mcpReq: { signal } }) =>
      answering(async () => toolResult(present(await atelier.jobs.cancel(jobId, { signal })))),
  );
}

function getPicture(server: McpServer, atelier: Atelier): void {
  server.registerTool(
    "get_picture",
    {
      title: "Get a picture",
      description:
        "Returns an asset or output as a picture, and a URL you can share that works without a key for a limited time.",
      inputSchema: taking<{ asset_id: string }>({ asset_id: id("The id of an asset or of a job's output.") }, [
        "asset_id",
      ]),
      annotations: { readOnlyHint: true },
    },
    ({ asset_id: assetId }, { mcpReq: { signal } }) =>
      answering(async () => {
        const asset = await atelier.assets.get(assetId, { signal });
        const { url, url_expires_at, content_type, size_bytes, file_path } = asset;
        const block = await pictureOf(atelier, asset);
        const link = linkTo(url, content_type, size_bytes);
        const facts = { url, url_expires_at, content_type, size_bytes, file_path };
        return toolResult(facts, ...(block === null ? [] : [block]), link);
      }),
  );
}

function present(job: Job): object {
  const { id: job_id, status, progress, error, created_at, completed_at } = job;
  const outputs = job.outputs.map(({ id: asset_id, node_id, name, type, size_bytes }) => ({
    asset_id,
    node_id,
    name,
    type,
    size_bytes,
  }));
  return { job_id, status, progress: progress && brief(progress), error, created_at, completed_at, outputs };
}

// Every word costs an agent tokens: only running and failed nodes are listed, all others are counted.
function brief({ nodes = [], ...progress }: NonNullable<Job["progress"]>): object {
  const notable = nodes.filter(({ state }) => state === "running" || state === "failed");
  return notable.length === 0 ? progress : { ...progress, nodes: notable.slice(0, nodesMax) };
}

async function picturesOf(atelier: Atelier, outputs: readonly Output[]): Promise<ContentBlock[]> {
  const images = outputs.filter(({ type }) => type === "image").slice(0, picturesMax);
  return (await Promise.all(images.map((output) => pictureOf(atelier, output)))).filter((block) => block !== null);
}

// The thumbnail that the asset store makes. An output without one is shown only by its URL.
async function pictureOf(atelier: Atelier, { urls }: Pick<Asset | Output, "urls">): Promise<ContentBlock | null> {
  try {
    if (urls.thumbnail === undefined) return null;
    const response = await atelier.request(urls.thumbnail, { query: { size: 512 } });
    return pictureBlock(new Uint8Array(await response.arrayBuffer()));
  } catch {
    return null;
  }
}

async function sendProgress(
  { mcpReq }: ServerContext,
  progress: number,
  message: string | null | undefined,
): Promise<void> {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return;
  const params = { progressToken: token, progress, total: 1, ...(message ? { message } : {}) };
  await mcpReq.notify({ method: "notifications/progress", params });
}
