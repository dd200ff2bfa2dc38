// The provider behind the bench of model streams: its first event says when it was written, by a clock that all processes of the
// machine share; 200 more follow over the seconds that the input asks for, then the usage and the end.
import { createServer } from "node:http";
import { listenAndSay } from "./ready.ts";

const events = 200;
const word = JSON.stringify({ text: "a word of some length, as models write them ", padding: "x".repeat(160) });

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { seconds = 0 } = JSON.parse(Buffer.concat(chunks).toString()) as { seconds?: number };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify({ sent: String(process.hrtime.bigint()) })}\n\n`);
  let left = events;
  const step = () => {
    const count = seconds === 0 ? left : Math.min(left, 20);
    left -= count;
    response.write(`data: ${word}\n\n`.repeat(count));
    if (left > 0) return void setTimeout(step, (seconds * 1000) / (events / 20));
    response.end('data: {"usage":{"tokens":200}}\n\ndata: [DONE]\n\n');
  };
  setTimeout(step, seconds === 0 ? 0 : (seconds * 1000) / (events / 20));
});
listenAndSay(server, 16_384);
