import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { craftZip, extraField, manifestText, secondName, type ZipPart } from "../../../../test/support/craft-zip.ts";
import { archiveLimits } from "./archive-limits.ts";
import { builtInRules } from "./built-in-rules.ts";
import { checkArchive } from "./check-archive.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-checks-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const declared = { publisherId: "acme", nodeId: "pack", version: "1.2.3" };
const manifest: ZipPart = { name: "pyproject.toml", bytes: manifestText(declared) };

let files = 0;
async function check(archive: Buffer) {
  const path = join(folder, `${files++}.zip`);
  writeFileSync(path, archive);
  const limits = { ...archiveLimits, entriesMax: 500 };
  return checkArchive({ path, declared, ruleSet: builtInRules, limits });
}
async function codesOf(parts: readonly ZipPart[]): Promise<string[]> {
  const { findings } = await check(craftZip([manifest, ...parts]));
  return findings.map(({ code, file, line }) => [code, file, line].filter((part) => part !== undefined).join(" "));
}

function longSizes(unpacked: bigint, packed: bigint): Buffer {
  const data = Buffer.alloc(16);
  data.writeBigUInt64LE(unpacked, 0);
  data.writeBigUInt64LE(packed, 8);
  return extraField(1, data);
}

describe("an archive", () => {
  test("that is plain and has a manifest is clean", async () => {
    const parts = [manifest, { name: "__init__.py", bytes: "NODES = {}\n" }, { name: "web/" }, { name: "web/a.js" }];
    const { code, ...verdict } = await check(craftZip(parts));
    assert.deepEqual(verdict, { verdict: "clean", findings: [], readme: null });
    assert.equal(code?.extraction.status, "failed");
  });

  test("with a name that leads elsewhere is flagged, whatever the system it is meant for", async () => {
    const cases = {
      "../up.py": "path_escape",
      "a/../../up.py": "path_escape",
      "a\\..\\up.py": "path_escape",
      "/etc/cron.d/x": "absolute_name",
      "C:/x.py": "absolute_name",
      "\\\\host\\share": "absolute_name",
      "a//b": "unsafe_name",
      "a/./b": "unsafe_name",
      "nul.txt": "unsafe_name",
      "ab:c": "unsafe_name",
      "x\u0000.py": "unsafe_name",
      "a. /b": "unsafe_name",
      "\u202etxt.exe": "unsafe_name",
    };
    for (const [name, code] of Object.entries(cases)) {
      const found = await codesOf([{ name, bytes: "x" }]);
      assert.ok(
        found.some((text) => text.startsWith(code)),
        `${name}: ${found}`,
      );
    }
  });

  test("with links, devices, twins, encryption or unknown compression is flagged", async () => {
    assert.deepEqual(await codesOf([{ name: "a", bytes: "/etc/passwd", mode: 0o120777 }]), ["link a"]);
    assert.deepEqual(await codesOf([{ name: "a", mode: 0o020666 }]), ["special_file a"]);
    assert.deepEqual(await codesOf([{ name: "a.txt" }, { name: "a.txt" }]), ["duplicate_name a.txt"]);
    assert.deepEqual(await codesOf([{ name: "a.txt" }, { name: "A.TXT" }]), ["duplicate_name A.TXT"]);
    assert.deepEqual(await codesOf([{ name: "pyproject.TOML" }]), ["duplicate_name pyproject.TOML"]);
    assert.deepEqual(await codesOf([{ name: "\u00e9" }, { name: "e\u0301" }]), ["duplicate_name e\u0301"]);
    assert.deepEqual(await codesOf([{ name: "a" }, { name: "a/b" }]), ["duplicate_name a/b"]);
    assert.deepEqual(await codesOf([{ name: "a", bytes: "secret", flags: 1 }]), ["encrypted a"]);
    assert.deepEqual(await codesOf([{ name: "a", bytes: "x", method: 99 }]), ["unknown_compression a"]);
  });

  test("whose two headers disagree is flagged: tools would unpack different things", async () => {
    assert.deepEqual(await codesOf([{ name: "a.txt", localName: "../b" }]), ["header_disagreement a.txt"]);
  });

  test("whose entry has a second name is flagged: what one tool takes for a text is a program to another", async () => {
    const lies = { name: "evil.py", bytes: "eval(x)", extra: secondName("evil.py", "README.md") };
    assert.ok((await codesOf([lies])).includes("header_disagreement README.md"));
    const local = { name: "README.md", localExtra: secondName("README.md", "evil.py") };
    assert.deepEqual(await codesOf([local]), ["header_disagreement README.md"]);
    const broken = { name: "a.txt", localExtra: Buffer.from([0x75, 0x70, 0xff, 0xff]) };
    assert.deepEqual(await codesOf([broken]), ["header_disagreement a.txt"]);
    const honest = { name: "light.md", extra: secondName("light.md", "light.md") };
    assert.deepEqual(await codesOf([honest]), []);
  });

  test("in the long format is read like any other, and its lies are seen", async () => {
    const plain = { name: "a.py", bytes: "x = 1\n", localExtra: longSizes(6n, 6n) };
    const parts = [manifest, plain];
    const { verdict, findings } = await check(craftZip(parts, { zip64: {} }));
    assert.deepEqual([verdict, findings], ["clean", []]);
    const crowded = await check(craftZip(parts, { zip64: { entryCount: 1n << 40n } }));
    assert.deepEqual(
      crowded.findings.map(({ code }) => code),
      ["too_many_entries"],
    );
    for (const directoryStart of [1n << 40n, 1n << 62n, 5n]) {
      assert.equal((await check(craftZip(parts, { zip64: { directoryStart } }))).verdict, "unreadable");
    }
  });

  test("whose long sizes differ before the bytes and in the directory is flagged", async () => {
    const elsewhere = 0xffffffff;
    const entry = (local: Buffer, central: Buffer, more: Partial<ZipPart> = {}) => ({
      name: "a.py",
      bytes: "x = 1\n",
      localSizes: elsewhere,
      localExtra: local,
      sizes: elsewhere,
      extra: central,
      ...more,
    });
    const honest = longSizes(6n, 6n);
    assert.deepEqual(await codesOf([entry(honest, honest)]), []);
    const later = 0x808;
    assert.deepEqual(await codesOf([entry(longSizes(0n, 0n), honest, { flags: later })]), []);
    const lies: readonly Partial<ZipPart>[] = [
      { localExtra: longSizes(7n, 6n) },
      { localExtra: longSizes(6n, 7n) },
      { localExtra: longSizes(6n + (1n << 32n), 6n) },
      { localExtra: longSizes(0n, 0n) },
      { localExtra: longSizes(7n, 6n), flags: later },
      // The field that should say so is missing or incomplete.
      { localExtra: Buffer.alloc(0) },
      {
        localExtra: longSizes(6n, 6n)
          .subarray(0, 4 + 8)
          .fill(8, 2, 3),
      },
      // The truth in the local header, and a lie in the directory.
      { localSizes: 6, extra: longSizes(5n, 6n) },
    ];
    for (const lie of lies) {
      const found = await codesOf([entry(honest, honest, lie)]);
      assert.ok(found.includes("header_disagreement a.py"), `${JSON.stringify(lie)}: ${found}`);
    }
  });

  test("whose directory is out of all proportion is flagged before it is listed", async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `f${index}`, comment: "c".repeat(65_000) }));
    assert.deepEqual(await codesOf(many), ["directory_too_large"]);
    const long = { name: "n".repeat(2_000), bytes: "x" };
    assert.ok((await codesOf([long])).some((code) => code.startsWith("unsafe_name")));
  });

  test("that unpacks to more than it announces is flagged without being unpacked", async () => {
    const lie = { name: "a.bin", bytes: Buffer.alloc(3_000_000), unpackedBytes: 10 };
    assert.deepEqual(await codesOf([lie]), ["false_size_or_checksum a.bin"]);
    assert.deepEqual(await codesOf([{ name: "a", bytes: "abc", checksum: 1 }]), ["false_size_or_checksum a"]);
    const large = { name: "l.bin", bytes: Buffer.alloc(9_000_000, "ab"), unpackedBytes: 9_000_001 };
    assert.ok((await codesOf([large])).includes("archive_ratio l.bin"));
  });

  test("that is a bomb is flagged by its ratio, its size or its shared bytes", async () => {
    const zeros = Buffer.alloc(20_000_000);
    assert.deepEqual(await codesOf([{ name: "z", bytes: zeros }]), ["archive_ratio z"]);
    const liar = { name: "z", bytes: "x", method: 8, unpackedBytes: 0xfffffffe };
    assert.ok((await codesOf([liar, { ...liar, name: "y" }])).includes("archive_too_large"));
    const found = await codesOf([
      { name: "a", bytes: "abc" },
      { name: "b", sharesWith: 1 },
    ]);
    assert.ok(found.includes("overlapping_entries b"));
  });

  test("with too many entries, or that says so, is flagged without being listed", async () => {
    const many = Array.from({ length: 501 }, (_, index) => ({ name: `f${index}` }));
    assert.deepEqual(await codesOf(many), ["too_many_entries"]);
    const { findings } = await check(craftZip([manifest], { entryCount: 60_000 }));
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["too_many_entries"],
    );
  });

  test("that is not an archive is unreadable", async () => {
    for (const bytes of ["", "hello", "PK\u0003\u0004".repeat(50)]) {
      assert.equal((await check(Buffer.from(bytes))).verdict, "unreadable");
    }
    const whole = craftZip([manifest, { name: "a", bytes: "x".repeat(100) }]);
    assert.equal((await check(whole.subarray(0, whole.length - 30))).verdict, "unreadable");
    assert.equal((await check(whole.subarray(50))).verdict, "unreadable");
  });

  test("whose manifest is missing, wrong or incomplete is flagged at its line", async () => {
    const report = async (bytes: string | null) =>
      (await check(craftZip(bytes === null ? [{ name: "a" }] : [{ name: "pyproject.toml", bytes }]))).findings.map(
        ({ code, line }) => `${code}${line === undefined ? "" : ` ${line}`}`,
      );
    assert.deepEqual(await report(null), ["manifest_missing"]);
    const reasonOf = async (...names: string[]) =>
      (await check(craftZip(names.map((name) => ({ name, bytes: manifestText(declared) }))))).findings[0]?.message;
    assert.match(
      String(await reasonOf("pack-1/docs/pyproject.toml", "pack-1/pyproject.toml")),
      /, but there is pack-1\/pyproject\.toml\. Pack the content of that folder/,
    );
    assert.match(String(await reasonOf("PyProject.toml")), /the archive\. Rename PyProject\.toml\.$/);
    assert.deepEqual(await report(manifestText({ ...declared, version: "1.2.4" })), ["manifest_version 3"]);
    assert.deepEqual(await report(manifestText({ ...declared, nodeId: "other" })), ["manifest_name 2"]);
    assert.deepEqual(await report(manifestText({ ...declared, publisherId: "evil" })), ["manifest_publisher 7"]);
    assert.deepEqual(await report("[project]\n"), Array(3).fill("manifest_incomplete"));
    assert.deepEqual(await report(manifestText({ ...declared, nodeId: "PACK", version: "v1.2.3" })), []);
  });

  test("gives the same findings in the same order every time", async () => {
    const parts = [
      { name: "b.py", bytes: "eval(x)\nexec(y)\n" },
      { name: "a.py", bytes: "eval(z)" },
    ];
    const archive = craftZip([manifest, ...parts]);
    const first = await check(archive);
    assert.deepEqual(
      first.findings.map(({ file, line }) => `${file}:${line}`),
      ["a.py:1", "b.py:1", "b.py:2"],
    );
    assert.deepEqual(
      first.findings.map(({ source }) => source),
      ["eval(z)", "eval(x)", "exec(y)"],
      "each with its line",
    );
    assert.deepEqual(await check(archive), first);
  });

  test("shows a line cut, without control characters", async () => {
    const bytes = `eval(x) # \u202e ${"long ".repeat(100)}`;
    const { findings } = await check(craftZip([manifest, { name: "a.py", bytes }]));
    const { source = "" } = findings.find(({ line }) => line === 1) ?? {};
    assert.match(source, /^eval\(x\) # \ufffd long long .*…$/);
    assert.equal(source.length, 201);
  });

  test("of any bytes gives a verdict, and a damaged one is never clean with other files", async () => {
    const whole = craftZip([manifest, { name: "a.py", bytes: "x = 1\n".repeat(50) }]);
    const damage = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        const bytes = Buffer.from(whole);
        for (const { at, to } of damages) bytes[at] = to;
        const { verdict, findings } = await check(bytes);
        assert.equal(verdict === "clean", findings.length === 0);
      }),
      { numRuns: 150 },
    );
  });
});
