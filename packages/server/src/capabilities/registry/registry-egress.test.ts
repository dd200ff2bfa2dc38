import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTarget } from "../../foundation/http/outgoing/egress-guard.ts";
import { addressProblems, registryPolicy } from "./registry-egress.ts";

const allows = (url: string, config: Parameters<typeof registryPolicy>[0]) =>
  checkTarget(url, registryPolicy(config)).ok;

test("the registry asks public https addresses, and nothing on this machine or inside the network", () => {
  const config = {
    registryUpstream: "https://registry.example",
    registryUpstreamContent: null,
    codeHostApiUrl: null,
    egressAllow: [],
  };
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
  const config = {
    registryUpstream: "http://127.0.0.1:8123",
    registryUpstreamContent: null,
    codeHostApiUrl: null,
    egressAllow: [],
  };
  assert.ok(allows("http://127.0.0.1:8123/nodes", config));
  for (const url of [
    "http://127.0.0.1:8124/",
    "http://localhost:8123/",
    "http://registry.example/",
    "https://10.0.0.1/",
  ])
    assert.equal(allows(url, config), false, url);
});

test("an upstream inside a network is asked at the very host and port that the operator named, and nowhere else there", () => {
  for (const registryUpstream of ["http://10.0.0.5:8080", "https://[fd00::1]:8443", "http://registry.internal:8080"]) {
    const config = { registryUpstream, registryUpstreamContent: null, codeHostApiUrl: null, egressAllow: [] };
    assert.deepEqual(addressProblems(config, false), []);
    assert.ok(allows(`${registryUpstream}/nodes`, config));
    for (const url of ["http://10.0.0.5:8081/", "http://10.0.0.6:8080/", "https://[fd00::2]:8443/"])
      assert.equal(allows(url, config), false, url);
  }
});

test("internal addresses in an upstream's answers are reached only if the operator allowed them", () => {
  const closed = { registryUpstream: "http://10.0.0.5:8080", registryUpstreamContent: null, codeHostApiUrl: null };
  const archive = "https://files.studio.lan:9000/node.zip";
  assert.equal(allows(archive, { ...closed, egressAllow: ["webhooks=files.studio.lan:9000"] }), false);
  assert.ok(allows(archive, { ...closed, egressAllow: ["registry=files.studio.lan:9000"] }));
});
