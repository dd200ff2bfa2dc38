import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId } from "../foundation/ids.ts";
import { deploymentHosts, deploymentMount } from "./deployment-host.ts";

const id = newId<"deployment">();
const hosts = deploymentHosts(() => ["https://run.example", "http://localhost:8080"]);

test("a deployment's name is its label before a known host, in any case, with exactly that host's port", () => {
  for (const host of [`dep-${id}.run.example`, `DEP-${id.toUpperCase()}.Run.Example`, `dep-${id}.localhost:8080`])
    assert.equal(hosts.idIn(host), id, host);
  assert.equal(hosts.urlOf(id), `https://dep-${id}.run.example`);
  assert.equal(deploymentMount(id), `/deployment/${id}`);
});

test("every other spelling is no deployment's name", () => {
  const strange = [
    "",
    id,
    `dep-${id}`,
    `dep-${id}.`,
    `dep-${id}.run.example.`,
    `dep-${id}.run.example:443`,
    `dep-${id}.run.example:8080`,
    `dep-${id}.localhost`,
    `dep-${id}.localhost:8081`,
    `dep-${id}.example`,
    `dep-${id}.run.example.evil.example`,
    `dep-${id}.evil-run.example`,
    `x.dep-${id}.run.example`,
    `dep-${id}.x.run.example`,
    `dep_${id}.run.example`,
    `dep-${id.replaceAll("-", "")}.run.example`,
    `dep-${id}@run.example`,
    `dep-${id}/.run.example`,
    `dep-${"0".repeat(36)}.run.example`,
    `dep-${id}%2erun.example`,
    " ",
    `dep-${id}..run.example`,
    `dep-${id}.run.example `,
    `dep-${id}.[::1]:8080`,
    `dep-${id}.127.0.0.1:8080`,
    `dep-${id}.run.example\u0000`,
    `dep-${id}.run.exampl\u212a`,
  ];
  for (const host of strange) assert.equal(hosts.idIn(host), null, JSON.stringify(host));
});

test("an address in figures has no names below it", () => {
  for (const address of ["http://127.0.0.1:8080", "http://[::1]:8080"]) {
    const numeric = deploymentHosts(() => [address]);
    assert.equal(numeric.urlOf(id), null);
    assert.equal(numeric.idIn(`dep-${id}.${new URL(address).host}`), null);
  }
});

test("any Host is either unknown or one of the known names", () => {
  const pieces = fc.constantFrom("dep-", id, ".", "run.example", "localhost", ":8080", ":", "x", "@", "%", "DEP-", "");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const host = parts.join("");
      const known = [`dep-${id}.run.example`, `dep-${id}.localhost:8080`].includes(host.toLowerCase());
      assert.equal(hosts.idIn(host), known ? id : null);
    }),
  );
});
