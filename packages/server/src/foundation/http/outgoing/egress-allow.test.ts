// What an operator can open, decided on text and addresses: no name is resolved and no socket is opened.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type EgressAllowance, readAllowance } from "./egress-allow.ts";
import { checkTarget } from "./egress-guard.ts";
import { chooseAddress } from "./guarded-client.ts";

function allowance(text: string): EgressAllowance {
  const read = readAllowance(text);
  assert.ok(read.ok, text);
  return read.allowance;
}

const policyWith = (...texts: string[]) => ({ allowHttp: false, allow: texts.map(allowance) });

// The verdict on a URL, and on what its name resolves to.
function reach(url: string, policy: ReturnType<typeof policyWith>, addresses: readonly string[] = []): string {
  const target = checkTarget(url, policy);
  if (!target.ok) return `refused: ${target.reason}`;
  const choice = chooseAddress(target.literal === undefined ? addresses : [target.literal], policy, target);
  return typeof choice === "string" ? choice : choice.address;
}

describe("ATELIER_EGRESS_ALLOW", () => {
  test("entries that cannot be read are refused with what is wrong", () => {
    for (const [text, problem] of [
      ["10.0.0.0/8", /is not like/],
      ["hooks=10.0.0.0/8", /has an unknown purpose/],
      ["webhooks=10.0.0.0/33", /prefix/],
      ["webhooks=10.0.0:80", /is not an address/],
      ["webhooks=minio.lan:70000", /port/],
      ["webhooks=minio.lan:0", /port/],
      ["webhooks=localhost:3000", /this machine/],
      ["webhooks=127.0.0.1:3000", /is never allowed/],
      ["webhooks=169.254.169.254", /is never allowed/],
      ["webhooks=[fd00:ec2::254]", /is never allowed/],
      ["webhooks=https://minio.lan", /is not like/],
    ] as const) {
      const read = readAllowance(text);
      assert.match(read.ok ? "" : read.problem, problem, text);
    }
  });

  test("a private address, another port and plain http work where the operator opened them, and only there", () => {
    const policy = policyWith("webhooks=10.1.0.0/16:*");
    assert.equal(reach("http://10.1.2.3:9000/hook", policy), "10.1.2.3");
    assert.equal(reach("https://10.1.255.1:8443/", policy), "10.1.255.1");
    assert.equal(reach("https://10.2.0.1/", policy), "refused: address");
    assert.equal(reach("http://10.2.0.1/", policy), "refused: scheme");
    assert.equal(reach("http://10.1.2.3:9000/hook", policyWith("webhooks=10.1.0.0/16:9001")), "refused: scheme");
    assert.equal(reach("https://10.1.2.3/", policyWith("webhooks=10.1.0.0/16")), "10.1.2.3");
    assert.equal(reach("https://10.1.2.3:8443/", policyWith("webhooks=10.1.0.0/16")), "refused: port");
    assert.equal(reach("https://[fd12::9]:8443/", policyWith("webhooks=[fd12::/16]:8443")), "fd12::9");
  });

  test("a host is opened by its name, or by a suffix, with the port that was named", () => {
    const policy = policyWith("outputs=minio.lan:9000", "outputs=*.studio.internal:*");
    assert.equal(reach("http://minio.lan:9000/bucket", policy, ["192.168.1.9"]), "192.168.1.9");
    assert.equal(reach("http://minio.lan:9001/bucket", policy, ["192.168.1.9"]), "refused: scheme");
    assert.equal(reach("http://render.studio.internal:81/", policy, ["10.0.0.9"]), "10.0.0.9");
    assert.equal(reach("https://studio.internal/", policy, ["10.0.0.9"]), "refused: name");
    assert.equal(reach("https://minio.lan.example:9000/", policy, ["10.0.0.9"]), "refused: port");
  });

  test("an unlisted name is judged by every address it resolves to", () => {
    const policy = policyWith("webhooks=10.1.0.0/16:443");
    assert.equal(reach("https://hooks.lan/", policy, ["10.1.0.4"]), "10.1.0.4");
    assert.equal(reach("https://hooks.lan/", policy, ["10.1.0.4", "10.2.0.4"]), "forbidden");
    assert.equal(reach("https://hooks.example/", policy, ["93.184.216.34", "10.1.0.4"]), "93.184.216.34");
    assert.equal(reach("https://hooks.example/", policy, ["93.184.216.34", "10.2.0.4"]), "forbidden");
    assert.equal(reach("http://hooks.example:443/", policy, ["93.184.216.34"]), "forbidden", "plain http stays inside");
  });

  test("loopback, link-local and metadata addresses stay closed, whatever was opened", () => {
    const everything = policyWith("webhooks=0.0.0.0/0:*", "webhooks=[::/0]:*", "webhooks=inside.lan:*");
    const never = ["127.0.0.1", "169.254.169.254", "169.254.1.1", "0.0.0.0", "224.0.0.1", "100.100.100.200"];
    const neverSix = ["::1", "fe80::1", "fd00:ec2::254", "::ffff:10.0.0.1", "::", "ff02::1"];
    for (const address of [...never, ...neverSix]) {
      const literal = address.includes(":") ? `[${address}]` : address;
      assert.match(reach(`http://${literal}:8000/`, everything), /^refused|forbidden/, address);
      assert.equal(reach("http://inside.lan:8000/", everything, [address]), "forbidden", address);
    }
    assert.equal(reach("http://168.63.129.16/", everything), "refused: scheme");
  });
});
