// Names and bodies as the rim changes them, without a server: what is a name, what only looks like one, and what passes
// unchanged.
import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { systemClock } from "../../foundation/clock.ts";
import { publicEstimate } from "./estimate-shape.ts";
import { ownTags } from "./etags.ts";
import { isRespelledKey, ourKey, theirKey } from "./keys.ts";
import { respelledRegistryBody, respelledSubmission } from "./request-bodies.ts";
import { comfyRim } from "./rim.ts";
import { withExpiryHint, withoutExpiryHint } from "./signed-url-hint.ts";
import { switchHint } from "./switch-hint.ts";
import { respelledTarget } from "./target.ts";
import { declaredIn } from "./unknown-fields.ts";
import { variants } from "./variants.ts";

// In the format of an issued key.
const issuedKey = `service-AbCd1234_${"x7".repeat(19)}`;

test("paths and queries are renamed in their exact spelling, and nothing else is", () => {
  const renamed: readonly [string, string][] = [
    ["/v2/models", "/v1/models"],
    ["/v2/models?limit=3", "/v1/models?limit=3"],
    ["/v2/models/a/b/requests/1/status", "/v1/models/a/b/requests/1/status"],
    ["/v2/models/../x", "/v1/models/../x"],
    ["/proxy/freepik/v1/ai/image-relight", "/proxy/partner-a/v1/ai/image-relight"],
    ["/proxy/moonvalley/prompts/1", "/proxy/partner-b/prompts/1"],
    ["/comfy-nodes?comfy_node_name=x", "/svc-nodes?svc_node_name=x"],
    ["/nodes/n/versions/1.0.0/comfy-nodes/K", "/nodes/n/versions/1.0.0/svc-nodes/K"],
    [
      "/nodes/pricing/badges?comfyui_version=1.2.3&platform=local",
      "/nodes/pricing/badges?app_version=1.2.3&platform=local",
    ],
    ["/nodes/search?comfy_node_search=K&page=2", "/nodes/search?svc_node_search=K&page=2"],
    ["/nodes?comfyui_version=1&comfyui_version=2", "/nodes?app_version=1&app_version=2"],
  ];
  for (const [theirs, ours] of renamed) assert.equal(respelledTarget(theirs), ours);
  const kept = [
    "/v2/modelsx",
    "/V2/models",
    "/v2//models",
    "/api/v2/models",
    "/v1/models/freepik/x?comfyui_version=1",
    "/nodes/comfy-nodes/versions/1.0.0",
    "/nodes/a/versions/comfy-nodes/x",
    "/nodes?comfyui%5Fversion=1",
    "/nodes?comfyui_version=1&app_version=2",
    "/proxy/freepik%2Fv1",
    "http://elsewhere/v2/models",
    "*",
  ];
  for (const target of kept) assert.equal(respelledTarget(target), target);
});

test("a key has two spellings that say the same, and a foreign one has none", () => {
  const key = issuedKey;
  const theirs = theirKey(key);
  assert.match(theirs, /^comfyui-/);
  assert.equal(theirs.length, 72);
  assert.equal(ourKey(theirs), key);
  assert.equal(ourKey(key), key);
  assert.ok(isRespelledKey(theirs));
  const chosen = `service-${"k".repeat(40)}`;
  assert.equal(ourKey(theirKey(chosen)), chosen);
  const foreign = `comfyui-${"f".repeat(64)}`;
  assert.equal(isRespelledKey(foreign), false);
  for (const text of ["eyJhbGciOi.x.y", "Comfyui-x", ""]) assert.equal(ourKey(text), text);
});

const respelled = (text: string) => respelledSubmission(Buffer.from(text)).toString();

test("a submission's key is renamed where it is one, and the graph keeps every byte", () => {
  const graph = `{"1":{"class_type":"X","inputs":{"seed":18446744073709551615,"t":"\\"api_key_comfy_org\\":1"}}}`;
  const end = `"extra_data" : { "api_key_comfy_org" : "k" }`;
  const ours = end.replace("api_key_comfy_org", "api_key_service");
  assert.equal(respelled(`{"workflow":${graph},${end}}`), `{"workflow":${graph},${ours}}`);
  assert.equal(respelled(`{${end},"workflow":${graph}}`), `{${ours},"workflow":${graph}}`);
  const key = issuedKey;
  assert.equal(
    respelled(`{"workflow":{},"extra_data":{"api_key_comfy_org":"${theirKey(key)}"},"metadata":{"a":"b"}}`),
    `{"workflow":{},"extra_data":{"api_key_service":"${key}"},"metadata":{"a":"b"}}`,
  );
  // The same name elsewhere, in texts, and in what is not JSON.
  for (const text of [
    `{"workflow":{"1":{"inputs":{"extra_data":{"api_key_comfy_org":"k"}}}}}`,
    `{"workflow":{"1":{"inputs":{"api_key_comfy_org":"k"}}}}`,
    `{"workflow":{"t":"\\"extra_data\\":{\\"api_key_comfy_org\\":1}"}}`,
    `{"extra_data":{"x":{"api_key_comfy_org":"k"}}}`,
    `{"extra_data":["api_key_comfy_org"]}`,
    `{"extra_data":{"api_key_comfy_org"`,
    `"extra_data":{"api_key_comfy_org":1}}`,
    "",
  ]) {
    assert.equal(respelled(text), text);
  }
  // Both names become one name twice, which the strict parser refuses.
  assert.equal(
    respelled(`{"extra_data":{"api_key_service":"a","api_key_comfy_org":"b"}}`),
    `{"extra_data":{"api_key_service":"a","api_key_service":"b"}}`,
  );
});

test("beside a large graph only what is small is read", () => {
  const graph = JSON.stringify({ "1": { class_type: "X", inputs: { text: "x".repeat(5_000_000) } } });
  const text = `{"workflow":${graph},"extra_data":{"api_key_comfy_org":"k"}}`;
  const bytes = respelledSubmission(Buffer.from(text));
  assert.equal(bytes.toString(), text.replace("api_key_comfy_org", "api_key_service"));
  assert.ok(bytes.buffer instanceof SharedArrayBuffer, "a thread can read it without a copy");
  const first = `{"extra_data":{"api_key_comfy_org":"k"},"workflow":${graph}}`;
  assert.equal(respelled(first), first.replace("api_key_comfy_org", "api_key_service"));
  const between = `{"workflow":${graph},"extra_data":{"api_key_comfy_org":"k"},"more":${graph}}`;
  assert.equal(respelled(between), between);
});

test("members of the registry are renamed by their names, and texts that hold one are not", () => {
  const body = (text: string) => respelledRegistryBody(Buffer.from(text)).toString();
  assert.equal(
    body(`{"node":{"supported_comfyui_version" : ">=1","description":"\\"supported_comfyui_version\\": é"}}`),
    `{"node":{"supported_app_version" : ">=1","description":"\\"supported_comfyui_version\\": é"}}`,
  );
  assert.equal(body(`{"tags":["comfy_nodes"],"x":"comfy_nodes"}`), `{"tags":["comfy_nodes"],"x":"comfy_nodes"}`);
  assert.equal(body(`{"policy":"ComfyNodePolicyBanned"}`), `{"policy":"NodePolicyBanned"}`);
  assert.equal(body(`{"description":"ComfyNodePolicyBanned"}`), `{"description":"ComfyNodePolicyBanned"}`);
  const broken = Buffer.from([0x7b, 0x22, 0xff, 0x63, 0x6f, 0x6d, 0x66, 0x79, 0x22]);
  assert.deepEqual(respelledRegistryBody(broken), broken);
});

test("the expiry hint says what the signature binds, and goes before it is looked at", () => {
  const now = new Date("2026-11-16T15:00:00.500Z");
  const expiry = Math.floor(now.getTime() / 1000) + 600;
  const url = `http://127.0.0.1:9/c/0198c0de-0000-7000-8000-000000000000?e=${expiry}&k=key1&s=${"s".repeat(43)}`;
  const hinted = withExpiryHint(url, now);
  assert.equal(hinted, `${url}&X-Goog-Date=20261116T150000Z&X-Goog-Expires=600`);
  const target = hinted.slice("http://127.0.0.1:9".length);
  assert.equal(respelledTarget(target), url.slice("http://127.0.0.1:9".length));
  for (const other of ["/api/v2/jobs/1", "https://elsewhere/c/1?e=1"]) assert.equal(withExpiryHint(other, now), other);
  assert.equal(withoutExpiryHint("e=1&X-Goog-Date=x"), "e=1&X-Goog-Date=x");
});

test("only validators of respelled bodies are looked at for them", () => {
  assert.equal(ownTags('"a"'), undefined);
  assert.equal(ownTags('"a", W/"b.comfy"'), ' W/"b"');
  assert.equal(ownTags("*"), "*");
});

test("headers are renamed in place, and a value sent under both names is taken from ours", () => {
  const rim = comfyRim({ clock: systemClock, hasExpiryHint: false });
  const arrived = (...rawHeaders: string[]) => {
    const request = new IncomingMessage(new Socket());
    request.rawHeaders = rawHeaders;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = String(rawHeaders[at]).toLowerCase();
      const known = request.headers[name];
      request.headers[name] = known === undefined ? rawHeaders[at + 1] : `${known}, ${rawHeaders[at + 1]}`;
    }
    request.url = "/x";
    rim.arrive(request);
    return request;
  };
  const one = arrived("Comfy-Job-Id", "a", "Comfy-Env", "local");
  assert.deepEqual(one.rawHeaders, ["x-service-job-id", "a", "Comfy-Env", "local"]);
  assert.equal(one.headers["x-service-job-id"], "a");
  const both = arrived("Comfy-Job-Id", "a", "X-Service-Job-Id", "b");
  assert.deepEqual(both.rawHeaders, ["Comfy-Job-Id", "a", "X-Service-Job-Id", "b"]);
  assert.equal(both.headers["x-service-job-id"], "b");
  // Twice under their name becomes twice under ours, for a route that counts them.
  const twice = arrived("X-Comfy-Max-Credits", "1", "x-comfy-max-credits", "2");
  assert.deepEqual(twice.rawHeaders, ["x-service-max-credits", "1", "x-service-max-credits", "2"]);
  const keys = arrived(
    "X-API-Key",
    theirKey(issuedKey),
    "x-api-key",
    issuedKey,
    "Authorization",
    `bearer  ${theirKey(issuedKey)}`,
  );
  assert.deepEqual(keys.rawHeaders.slice(0, 4), ["X-API-Key", issuedKey, "x-api-key", issuedKey]);
  assert.equal(keys.headers.authorization, `bearer  ${issuedKey}`);
  const answer = [
    "x-service-request-id",
    "1",
    "x-service-concurrency-limit",
    "20",
    "access-control-expose-headers",
    "ETag",
  ];
  rim.depart(answer);
  assert.deepEqual(answer.slice(6), ["X-Comfy-Request-Id", "1", "X-Concurrency-Limit", "20"]);
  assert.match(String(answer[5]), /^ETag, X-Comfy-Request-Id, /);
});

test("with the switch off a path of the dialect names the switch, and no other path does", () => {
  const theirs = ["/v2/models", "/v2/models/a/b", "/api/prompt", "/prompt", "/api/object_info", "/proxy/freepik/x"];
  for (const path of theirs) assert.match(switchHint(path) ?? "", /ATELIER_DIALECT=comfy/, path);
  for (const path of [
    "/",
    "/v1/models",
    "/api",
    "/api/v2/nothing",
    "/proxy/partner-a",
    "/nodes/x",
    "/v2",
    "/apiprompt",
  ])
    assert.equal(switchHint(path), null, path);
});

test("there are at most eight variants", () => {
  const declared = new Set(Object.values(variants).flatMap((ofSurface) => [...ofSurface]));
  assert.ok(declared.size <= 8, [...declared].join(", "));
});

test("an estimate in dollars is never nearer than its bounds and never free by rounding", () => {
  const rates = { now: new Date("2026-11-17T00:00:00.000Z"), creditsPerUsd: 211 };
  const estimate = (lowest: string, highest: string) =>
    publicEstimate(
      {
        model: "sandbox/image-1",
        credits: { lowest, highest },
        hold: highest,
        is_exact: lowest === highest,
        expected_seconds: { median: 1, p90: 2, count: 3 },
      },
      rates,
    );
  const common = {
    model: "sandbox/image-1",
    expected_seconds: { median: 1, p90: 2, count: 3 },
    provider: "sandbox",
    currency: "USD",
    pricing_as_of: "2026-11-17T00:00:00.000Z",
  };
  assert.deepEqual(estimate("8.44", "8.44"), {
    ...common,
    hold: "8.44",
    is_exact: true,
    source: "exact",
    amount: "0.04",
    amount_cents: 4,
    credits: 8.44,
  });
  assert.deepEqual(estimate("1", "2"), {
    ...common,
    hold: "2",
    is_exact: false,
    source: "estimated",
    min_amount: "0.00473933",
    min_amount_cents: 0.473933,
    max_amount: "0.00947868",
    max_amount_cents: 0.947868,
  });
  assert.equal(estimate("0.000001", "0.000001")["amount"], "0.00000001");
  assert.equal(estimate("0", "0")["amount"], "0");
});

test("members are declared by every part of a schema that has no place for others", () => {
  const properties = { prompt: {} };
  assert.deepEqual([...(declaredIn({ properties }) ?? [])], ["prompt"]);
  const parts = { properties, allOf: [{ properties: { width: {} } }], else: { properties: { seed: {} } } };
  assert.deepEqual([...(declaredIn(parts) ?? [])], ["prompt", "width", "seed"]);
  assert.equal(declaredIn({ properties, additionalProperties: true }), null);
  assert.equal(declaredIn({ properties, anyOf: [{ additionalProperties: { type: "string" } }] }), null);
  assert.throws(() => declaredIn({ $ref: "#/x" }), /not offered for this model/);
});
