import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTarget } from "../foundation/http/egress-guard.ts";
import { registryPolicy } from "./build-registry.ts";

const allows = (url: string, config: Parameters<typeof registryPolicy>[0]) =>
  checkTarget(url, registryPolicy(config)).ok;

test("the registry asks public https addresses, and nothing on this machine or inside the network", () => {
  const config = { registryUpstream: "https://registry.example", registryUpstreamContent: null, codeHostApiUrl: null };
  assert.ok(allows("https://registry.example/nodes", config));
  for (const url of [
    "http://registry.example/",
    "http://127.0.0.1/",
    "https://127.0.0.1/",
    "https://10.0.0.1/",
    "https://localhost/",
  ])
    assert.equal(allows(url, config), false, url);
});

test("an address on this machine is reached only where the operator named exactly it", () => {
  const config = { registryUpstream: "http://127.0.0.1:8123", registryUpstreamContent: null, codeHostApiUrl: null };
  assert.ok(allows("http://127.0.0.1:8123/nodes", config));
  for (const url of [
    "http://127.0.0.1:8124/",
    "http://localhost:8123/",
    "http://registry.example/",
    "https://10.0.0.1/",
  ])
    assert.equal(allows(url, config), false, url);
});
