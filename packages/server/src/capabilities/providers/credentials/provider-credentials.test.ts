import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "../../../foundation/settings.ts";
import type { ProviderDefinition } from "../definition.ts";
import { publicLookup } from "../provider-upstream.ts";
import { createProviderCredentials, providerSecrets, secretWithin } from "./provider-credentials.ts";

const setting = "ATELIER_PROVIDER_EXAMPLE_KEY";

function definitionAt(base_url: string, pollHosts?: string[]): ProviderDefinition {
  return {
    provider: "example",
    base_url,
    credential: { kind: "bearer", setting },
    models: [
      {
        model: "sketch-2",
        released: true,
        submit: { path: "/", encoding: "json" },
        ...(pollHosts
          ? {
              poll: {
                handle: "/id",
                url: "/url",
                hosts: pollHosts,
                interval_ms: 1000,
                state: "/state",
                pending: ["a"],
                succeeded: ["b"],
              },
            }
          : {}),
        price: { usd: "0" },
        charges_on_policy_rejection: "unknown",
        input_schema: null,
        recovery: "neither",
        longest_run_seconds: 60,
      },
    ],
  };
}

function credentials(env: Record<string, string>, own: ProviderDefinition[] = [], isLocal = false) {
  return createProviderCredentials({ secrets: providerSecrets(env), own, isLocal });
}

const pathsOf = (problems: readonly { path: string }[]) => problems.map(({ path }) => path);

test("a credential goes to the hosts it was entered for and to no others", () => {
  const named = credentials({ [setting]: "secret", [`${setting}_HOSTS`]: "api.example.com, poll.example.com" });
  assert.equal(named.credentialOf(setting, ["api.example.com"])?.reveal(), "secret");
  assert.equal(named.credentialOf(setting, ["api.example.com", "poll.example.com"])?.reveal(), "secret");
  assert.equal(named.credentialOf(setting, ["api.example.com", "elsewhere.example.com"]), null);
  const fromFile = credentials({ [setting]: "secret" }, [definitionAt("https://api.example.com", ["eu.example.com"])]);
  assert.equal(fromFile.credentialOf(setting, ["eu.example.com"])?.reveal(), "secret");
  assert.equal(fromFile.credentialOf(setting, ["elsewhere.example.com"]), null);
  assert.equal(credentials({ [setting]: "secret" }).credentialOf(setting, ["api.example.com"]), null);
  assert.equal(credentials({}).credentialOf(setting, []), null);
});

test("a definition that would send a configured credential elsewhere is refused, an unconfigured one is not", () => {
  const env = { [setting]: "secret", [`${setting}_HOSTS`]: "api.example.com" };
  const { targetProblems } = credentials(env);
  assert.deepEqual(targetProblems(definitionAt("https://api.example.com")), []);
  assert.deepEqual(pathsOf(targetProblems(definitionAt("https://evil.example.com"))), ["/credential/setting"]);
  assert.deepEqual(pathsOf(targetProblems(definitionAt("https://api.example.com", ["evil.example.com"]))), [
    "/credential/setting",
  ]);
  assert.deepEqual(credentials({}).targetProblems(definitionAt("https://any.example.com")), []);
});

test("a definition from elsewhere reaches public hosts over https only; this machine's own hosts are the operator's word", () => {
  const { targetProblems } = credentials({});
  for (const url of [
    "http://api.example.com",
    "https://127.0.0.1:9000",
    "https://10.1.2.3",
    "https://[::1]",
    "https://169.254.169.254",
    "https://metadata.internal",
    "https://localhost",
  ])
    assert.deepEqual(pathsOf(targetProblems(definitionAt(url))), ["/base_url"], url);
  assert.deepEqual(pathsOf(targetProblems(definitionAt("https://api.example.com", ["10.0.0.1"]))), ["/models"]);
  const local = credentials({}, [], true);
  assert.deepEqual(local.targetProblems(definitionAt("http://127.0.0.1:9000")), []);
  assert.deepEqual(pathsOf(local.targetProblems(definitionAt("http://10.0.0.1:9000"))), ["/base_url"]);
  const named = credentials({}, [definitionAt("http://10.0.0.1:9000")]);
  assert.deepEqual(named.targetProblems(definitionAt("http://10.0.0.1:9000")), []);
});

test("a name that leads to this machine is refused when the connection is made", async () => {
  const outcome = await new Promise<Error | null>((resolve) =>
    publicLookup("localhost", { all: true }, (error) => resolve(error)),
  );
  assert.match(outcome?.message ?? "", /not public/);
});

test("a credential that was made for the sandbox goes to the sandbox only, and the operator's of the same name elsewhere", () => {
  const sandbox = definitionAt("http://127.0.0.1:4000");
  const made = new Map([[setting, new Secret("made for the sandbox")]]);
  const { credentialOf, isOwnHost } = createProviderCredentials({
    secrets: new Map([[setting, new Secret("the operator's")]]),
    own: [definitionAt("https://api.example.com")],
    builtIn: { definitions: [sandbox], secrets: made },
    isLocal: false,
  });
  assert.equal(credentialOf(setting, ["127.0.0.1:4000"])?.reveal(), "made for the sandbox");
  assert.equal(credentialOf(setting, ["api.example.com"])?.reveal(), "the operator's");
  assert.equal(credentialOf(setting, ["api.example.com", "127.0.0.1:4000"]), null, "neither was entered for both");
  assert.ok(isOwnHost("127.0.0.1:4000"));
});

test("a credential goes nowhere but to the hosts that the operator named for it, if any were named", () => {
  const secrets = providerSecrets({ [setting]: "key", [`${setting}_HOSTS`]: "api.example, files.example" });
  const within = (hosts: readonly string[]) => secretWithin(secrets, setting, hosts);
  assert.equal(within(["api.example", "files.example"]).secret?.reveal(), "key");
  assert.deepEqual(within(["api.example", "elsewhere.example"]), { secret: null, foreign: "elsewhere.example" });
  const unbound = providerSecrets({ [setting]: "key" });
  assert.equal(secretWithin(unbound, setting, ["elsewhere.example"]).secret?.reveal(), "key");
  assert.deepEqual(secretWithin(new Map(), setting, ["api.example"]), { secret: null });
});
