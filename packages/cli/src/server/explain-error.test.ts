import assert from "node:assert/strict";
import { test } from "node:test";
import { AtelierError, ConnectionFailed, InvalidInput } from "@atelier/sdk";
import { explainError, kindOf } from "./explain-error.ts";

const whom = { baseUrl: "http://127.0.0.1:1", hasKey: true, isAdmin: false };
const facts = {
  status: 422,
  code: "invalid_input",
  message: "no",
  requestId: "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
  retryAfterSeconds: null,
  details: undefined as unknown,
  bodyText: "",
  idempotencyKey: null,
};

test("the bucket decides the exit code, or else the status", () => {
  const cases: [number, string, string][] = [
    [401, "unauthorized", "not_allowed"],
    [403, "forbidden", "not_allowed"],
    [402, "insufficient_credits", "no_credit"],
    [404, "model_not_found", "not_there"],
    [404, "not_enabled", "not_there"],
    [400, "content_policy_violation", "refused"],
    [429, "rate_limited", "slow_down"],
    [502, "provider_error", "ran_and_failed"],
    [504, "deadline_exceeded", "time"],
    [502, "provider_timeout", "time"],
    [503, "service_unavailable", "unreachable"],
    [0, "connection_failed", "unreachable"],
    [409, "conflict", "rejected_input"],
    [500, "internal_error", "unexpected"],
  ];
  for (const [status, code, kind] of cases) assert.equal(kindOf(status, code), kind, code);
});

test("a rejected field has its own line, and the request's id is kept", () => {
  const details = [{ loc: ["body", "image", 0], type: "image_too_small", msg: "needs 512" }];
  const problem = explainError(new InvalidInput({ ...facts, details }), whom);
  assert.deepEqual(problem.facts.lines, ["image.0   image_too_small   needs 512"]);
  assert.equal(problem.facts.requestId, facts.requestId);
  assert.equal(problem.facts.billed, "no");
  assert.ok(!problem.message.includes(facts.requestId));
});

test("errors by node name the node, its class and what is wrong", () => {
  const node_errors = { "7": { class_type: "Blur", errors: [{ message: "too far", details: "radius 9" }, 5] }, "8": 1 };
  const problem = explainError(
    new AtelierError({ ...facts, code: "invalid_workflow", details: { node_errors } }),
    whom,
  );
  assert.deepEqual(problem.facts.lines, ["node 7  Blur  too far  radius 9"]);
});

test("a missing server says where it was looked for and how to start one", () => {
  const error = new ConnectionFailed({
    ...facts,
    status: 0,
    code: "connection_failed",
    message: "The server cannot be reached: ECONNREFUSED.",
    requestId: null,
  });
  const problem = explainError(error, whom);
  assert.equal(problem.message, "Cannot reach the server at http://127.0.0.1:1 (ECONNREFUSED).");
  assert.match(problem.facts.hint ?? "", /atelier serve/);
});

test("a key with a character that no header can carry is not mistaken for an unreachable server", () => {
  const error = new ConnectionFailed({
    ...facts,
    status: 0,
    code: "connection_failed",
    message: "The server cannot be reached: ERR_INVALID_CHAR.",
    requestId: null,
  });
  assert.match(explainError(error, whom).message, /contains an invalid character/);
});

test("a missing key, an unknown key and a missing operator token have their own hints", () => {
  const error = new AtelierError({ ...facts, status: 401, code: "unauthorized" });
  const hints = [whom, { ...whom, hasKey: false }, { ...whom, isAdmin: true }].map(
    (each) => explainError(error, each).facts.hint,
  );
  assert.equal(new Set(hints).size, 3);
});

test("a server that wants a key says which folder's key was withheld", () => {
  const error = new AtelierError({ ...facts, status: 401, code: "unauthorized" });
  const problem = explainError(error, { ...whom, hasKey: false, withheldFrom: "/srv/.atelier" });
  assert.match(
    problem.message,
    /requires an API key\. It is not the server of \/srv\/\.atelier, so that folder's key was not sent/,
  );
  assert.match(problem.facts.hint ?? "", /ATELIER_API_KEY/);
});

test("another program at the address is not mistaken for an unreachable server", () => {
  const reached = (reason: string, baseUrl: string) =>
    explainError(
      new ConnectionFailed({
        ...facts,
        status: 0,
        code: "connection_failed",
        message: `The server cannot be reached: ${reason}.`,
        requestId: null,
      }),
      { ...whom, baseUrl },
    );
  assert.match(reached("HPE_INVALID_CONSTANT", "http://127.0.0.1:22").message, /does not speak HTTP/);
  const plain = reached("ERR_SSL_WRONG_VERSION_NUMBER", "https://127.0.0.1:8080");
  assert.match(plain.message, /does not speak TLS/);
  assert.match(plain.facts.hint ?? "", /--base-url http:\/\/127\.0\.0\.1:8080/);
  const strange = reached("DEPTH_ZERO_SELF_SIGNED_CERT", "https://127.0.0.1:8080");
  assert.match(strange.facts.hint ?? "", /NODE_EXTRA_CA_CERTS/);
});

test("a graph that cannot be converted says why, and no list of problems is endless", () => {
  const details = { unknown_classes: [], problems: ["The graph has no node that can run."] };
  const error = new AtelierError({ ...facts, code: "invalid_workflow", details });
  assert.deepEqual(explainError(error, whom).facts.lines, details.problems);
  const many = { problems: Array.from({ length: 1000 }, (_, index) => `problem ${index}`) };
  const lines = explainError(new AtelierError({ ...facts, details: many }), whom).facts.lines ?? [];
  assert.equal(lines.length, 51);
  assert.equal(lines.at(-1), "… and 950 more");
});

test("classes that a server does not know are named, also in an editor's file, with where to look", () => {
  const details = { unknown_classes: ["KSampler", "VAEDecode"], problems: [] };
  const problem = explainError(new AtelierError({ ...facts, code: "workflow_format_ui", details }), whom);
  assert.deepEqual(problem.facts.lines, ["unknown class  KSampler", "unknown class  VAEDecode"]);
  assert.match(problem.facts.hint ?? "", /atelier classes ls/);
  const node_errors = { "3": { class_type: "KSampler", errors: [{ message: "does not exist" }] } };
  const byNode = { node_errors, unknown_classes: ["KSampler"] };
  const explained = explainError(new AtelierError({ ...facts, code: "invalid_workflow", details: byNode }), whom);
  assert.deepEqual(explained.facts.lines, ["node 3  KSampler  does not exist"], "once");
});

test("a next step fits the refusal: a banned node, the server's own account, a body that is too large", () => {
  const hintOf = (status: number, code: string, message: string) =>
    explainError(new AtelierError({ ...facts, status, code, message }), whom).facts.hint ?? "";
  assert.match(hintOf(403, "forbidden", "This version is banned."), /another version or node/);
  assert.match(hintOf(403, "forbidden", "This key lacks the scope models."), /other scopes/);
  const account = "The provider rejected this server's account. Only the operator of this server can fix this.";
  assert.match(hintOf(502, "provider_error", account), /send the request id to the server's operator/);
  assert.match(hintOf(413, "invalid_input", "The body is too large."), /atelier assets put/);
});

test("every refusal that somebody can act on has a next step", () => {
  const codes: [number, string][] = [
    [403, "forbidden"],
    [422, "invalid_workflow"],
    [400, "content_policy_violation"],
    [502, "provider_error"],
    [409, "idempotency_key_reuse"],
    [500, "internal_error"],
  ];
  for (const [status, code] of codes)
    assert.ok(explainError(new AtelierError({ ...facts, status, code }), whom).facts.hint, code);
  const missing = new AtelierError({ ...facts, status: 404, code: "not_found", message: "There is no such job." });
  assert.equal(explainError(missing, whom).facts.hint, "list them: atelier jobs ls");
  const elsewhere = { ...facts, status: 404, code: "not_found", message: "There is nothing at this path. And more." };
  assert.match(explainError(new AtelierError(elsewhere), whom).facts.hint ?? "", /--base-url/);
  const hook = { ...facts, code: "invalid_workflow", message: "webhook_url must begin with https://" };
  assert.match(explainError(new AtelierError(hook), whom).facts.hint ?? "", /atelier webhooks allow/);
});

test("a rejected input of a work leads to its inputs, and a rejected form to what a form can contain", () => {
  const details = [{ loc: ["body", "prompt"], type: "missing", msg: "is required" }];
  const hintOf = (command: string, topic: string) =>
    explainError(new InvalidInput({ ...facts, details }), { ...whom, command, topic }).facts.hint;
  assert.match(hintOf("works run", "lighthouse") ?? "", /atelier works show lighthouse$/);
  assert.match(hintOf("works publish", "Night") ?? "", /atelier workflows form Night --all$/);
  const form = [
    { path: "/form/inputs/3/node", message: "is not in the graph" },
    { path: "/form/outputs", message: "is empty" },
  ];
  const refused = new AtelierError({ ...facts, code: "validation_failed", details: form });
  const { lines, hint } = explainError(refused, { ...whom, command: "works publish", topic: "Night" }).facts;
  assert.deepEqual(lines, ["form.inputs.3.node   is not in the graph", "form.outputs         is empty"]);
  assert.match(hint ?? "", /atelier workflows form Night --all$/);
  assert.match(hintOf("models run", "sandbox/text-1") ?? "", /atelier models schema sandbox\/text-1$/);
});
