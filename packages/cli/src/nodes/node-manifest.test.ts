import assert from "node:assert/strict";
import { test } from "node:test";
import { parseManifest } from "./node-manifest.ts";

const whole = `[project]
name = "Fine-Pack"
version = "1.2"
description = "Does fine things."
license = { file = "LICENSE" }
dependencies = ["numpy>=2", "someapp-frontend-package>=1.20"]
classifiers = [
  "Operating System :: OS Independent",
  "Operating System :: Microsoft :: Windows",
  "Environment :: GPU :: NVIDIA CUDA",
]
[project.urls]
Repository = "https://git.example/fine"
[tool.someapp]
PublisherId = "Acme"
DisplayName = "Fine pack"
requires-someapp = ">=1.0.0"
includes = ["dist"]
`;

test("a manifest is read as other tools read it", () => {
  const { manifest, findings } = parseManifest(whole);
  assert.deepEqual(findings, []);
  const compatible = {
    supported_os: ["OS Independent", "Windows"],
    supported_accelerators: ["NVIDIA CUDA"],
    supported_app_version: ">=1.0.0",
    supported_app_frontend_version: ">=1.20",
  };
  assert.deepEqual(manifest, {
    nodeId: "Fine-Pack",
    version: "1.2",
    publisherId: "acme",
    toolName: "someapp",
    includes: ["dist"],
    node: {
      id: "Fine-Pack",
      name: "Fine pack",
      description: "Does fine things.",
      repository: "https://git.example/fine",
      license: '{"file":"LICENSE"}',
      ...compatible,
    },
    nodeVersion: { version: "1.2", dependencies: ["numpy>=2"], ...compatible },
  });
});

test("everything missing or wrong is reported at once", () => {
  const codes = (text: string) => parseManifest(text).findings.map(({ code, message }) => `${code} ${message}`);
  assert.deepEqual(codes(""), [
    "manifest_incomplete project.name is missing.",
    "manifest_incomplete project.version is missing.",
    "manifest_incomplete tool.atelier.PublisherId is missing.",
  ]);
  assert.equal(codes(whole.replace("Fine-Pack", "no spaces please").replace('"1.2"', '"one"')).length, 2);
});
