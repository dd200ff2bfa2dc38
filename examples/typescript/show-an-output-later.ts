// An address that a job gave today does not work for ever. Three ways to show its output later.
//   show-an-output-later.ts <job id>       without an id: your newest job that succeeded

import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { Atelier } from "@atelier/sdk";

const atelier = new Atelier();
const [id] = process.argv.slice(2);
const newest = await atelier.jobs.list({ status: "succeeded", pageSize: 1 }).next();
const job = id === undefined ? newest.value : (await atelier.jobs.get(id)).current;
const [output] = job?.outputs ?? [];
if (output === undefined) throw new Error("There is no job that made something: run-a-workflow.ts makes one.");

// An unread body keeps its connection, and this program, waiting.
async function statusOf(address: string): Promise<number> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  return answer.status;
}

// 1. Re-host the bytes: they are yours, keep them where you keep files.
await writeFile(output.name, await atelier.assets.download(output));
console.log(`1. re-hosted as ${output.name}`);

// 2. Store the asset's id and resolve a fresh signed address whenever you render. Read its expiry, never assume it.
const { url, expiresAt } = await atelier.assets.share(output);
console.log(`2. ${await statusOf(url)} without a key, until ${expiresAt?.toISOString() ?? "the server stops"}`);

// 3. Fetch Output.url from a backend that holds the key, and stream the bytes. Without the key it is 401.
const backend = createServer(async (_request, response) => {
  const bytes = await atelier.assets.open(output);
  response.writeHead(200, { "content-type": output.content_type });
  if (bytes.body) Readable.from(bytes.body).pipe(response);
});
await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
const address = backend.address();
const own = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/picture`;
console.log(
  `3. ${await statusOf(own)} from our backend, ${await statusOf(output.url)} from Output.url without the key`,
);
backend.close();
backend.closeAllConnections();
