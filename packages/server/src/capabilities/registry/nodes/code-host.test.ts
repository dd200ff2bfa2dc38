import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodeHost, repositoryName } from "./code-host.ts";

test("a repository is asked about by its owner and name, however its address is written", () => {
  for (const address of [
    "https://github.com/ada/light",
    "https://github.com/ada/light/",
    "https://www.github.com/ada/light.git",
    "git@github.com:ada/light.git",
  ])
    assert.equal(repositoryName(address, "github.com"), "ada/light", address);
});

test("only an exact repository address on the host is looked up", () => {
  for (const address of [
    "",
    "ada/light",
    "https://evil.example/ada/light",
    "https://github.com.evil.example/ada/light",
    "https://github.com/ada",
    "https://github.com/ada/light/issues",
    "https://github.com/../light",
    "https://github.com/ada/..",
    "https://github.com/ada/li%67ht",
  ])
    assert.equal(repositoryName(address, "github.com"), null, address);
});

test("an answer that cannot be read proves nothing", async () => {
  for (const body of ["", "null", "[]", "{", '{"permissions":{"admin":"yes"}}', '{"stargazers_count":-1}']) {
    const answered = { kind: "answered", status: 200, headers: {}, body: Buffer.from(body), truncated: false } as const;
    const host = createCodeHost({
      client: { request: async () => answered },
      apiUrl: "https://api.example",
      webHost: "code.example",
    });
    const answer = await host.look("https://code.example/ada/light", "token");
    assert.ok(answer.kind === "refused" || (answer.kind === "repository" && !answer.mayAdminister), body);
  }
});
