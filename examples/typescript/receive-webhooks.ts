// A webhook receiver: checks the signature, answers fast, and takes each delivery once. Standard Webhooks.
//   ATELIER_WEBHOOK_SECRET=whsec_… receive-webhooks.ts 8765
import { createServer } from "node:http";
import { unwrap, WebhookRefused } from "@atelier/sdk/webhooks";

const secret = process.env["ATELIER_WEBHOOK_SECRET"] ?? "";
const port = Number(process.argv[2] ?? 8765);
// Deliveries come at least once; in a real program this is a table.
const taken = new Set<string>();

const server = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  try {
    const event = await unwrap<{ status?: string; sequence?: number }>(Buffer.concat(pieces), request.headers, secret);
    const id = String(request.headers["webhook-id"]);
    if (!taken.has(id)) {
      taken.add(id);
      // `sequence` rises with every change: what comes late is older news.
      console.log(`${event.sequence} ${event.status}`);
    }
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    response.writeHead(401).end();
  }
});
server.listen(port, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${port}`));
