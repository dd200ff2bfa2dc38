// A partner that accepts every task immediately and always reports it as running: what remains is the cost of the proxy.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { listenAndSay } from "./ready.ts";

let reads = 0;
const server = createServer((request, response) => {
  const answer = (text: string) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(text);
  };
  if (request.method === "GET" && request.url === "/reads") return answer(String(reads));
  if (request.method === "GET") {
    reads += 1;
    const id = request.url?.split("/").at(-1) ?? "";
    return answer(`{"data":{"task_id":"${id}","status":"IN_PROGRESS","generated":[]}}`);
  }
  request.resume();
  request.on("end", () => answer(`{"data":{"task_id":"${randomUUID()}","status":"CREATED","generated":[]}}`));
});
listenAndSay(server);
