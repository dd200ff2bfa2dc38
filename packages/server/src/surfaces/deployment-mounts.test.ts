import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../foundation/ids.ts";
import { deploymentHosts } from "./deployment-host.ts";
import { deploymentAddresses, mountAll, mountHost, reservedHost } from "./deployment-mounts.ts";

const id = newId<"deployment">();
const hosts = deploymentHosts(() => ["https://run.example"]);

test("names below localhost lead to deployments only where we listen on loopback", () => {
  assert.deepEqual(deploymentAddresses({ deploymentUrl: null, host: "127.0.0.1" }, 8080), ["http://localhost:8080"]);
  assert.deepEqual(deploymentAddresses({ deploymentUrl: "https://run.example", host: "0.0.0.0" }, 8080), [
    "https://run.example",
  ]);
});

test("the deployments' address is reserved for them unless something else of ours has the same name", () => {
  const config = { deploymentUrl: "https://run.example" };
  assert.equal(reservedHost(config, ["api.example"]), "run.example");
  assert.equal(reservedHost(config, ["api.example", "run.example"]), null);
  assert.equal(reservedHost({ deploymentUrl: null }, []), null);
});

test("a deployment's host becomes its mount path; the reserved one leads nowhere but below /deployment/", () => {
  const mountOf = mountHost(hosts, "run.example");
  assert.equal(mountOf(`dep-${id}.run.example`, "/admin"), `/deployment/${id}`);
  assert.equal(mountOf("run.example", `/deployment/${id}/api/v2/jobs`), null);
  for (const path of ["/", "/admin", "/deployment", "/deploymentx/y"])
    assert.equal(mountOf("Run.example", path), "/deployment/-", path);
  assert.equal(mountOf("api.example", "/admin"), null);
  assert.equal(mountHost(hosts, null)("run.example", "/admin"), null);
});

test("a process that is one deployment is that for every host of its own, but answers for its health itself", () => {
  const mountOf = mountAll(id, hosts, new Set(["127.0.0.1:8090"]));
  assert.equal(mountOf("127.0.0.1:8090", "/admin"), `/deployment/${id}`);
  assert.equal(mountOf(`dep-${id}.run.example`, "/readyz"), `/deployment/${id}`);
  assert.equal(mountOf("127.0.0.1:8090", "/readyz"), null);
  for (const host of ["evil.example", `dep-${newId()}.run.example`, ""])
    assert.equal(mountOf(host, "/api/v2/jobs"), null, host);
  assert.equal(mountAll(id, hosts, null)("any.example", "/api/v2/jobs"), `/deployment/${id}`);
  assert.equal(mountOf("127.0.0.1:8090", "/api/workers/1"), `/deployment/${id}`, "it starts no workers");
  assert.equal(mountAll(id, hosts, null, true)("any.example", "/api/workers/1"), null);
});
