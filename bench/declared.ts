// What declared node classes cost: 500 of them at start, in a fresh process each time, and one call of each that ships. The time
// is the process's CPU time, which a busy machine changes less than the clock's.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { NodeDeclaration } from "@atelier/engine";
import { declaredRunner, standardOf } from "../packages/engine/src/declared/run-declared.ts";
import { Inputs } from "../packages/engine/src/execution/inputs.ts";
import { testContext } from "../packages/engine/test/support/run-class.ts";
import { readNodes, shippedNodeFiles } from "../packages/server/src/capabilities/partner-nodes/index.ts";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { root, tempFolder } from "./processes.ts";

const count = 500;

export async function benchDeclared(rounds: number): Promise<Finding[]> {
  using folder = tempFolder("declared");
  await writeClasses(folder.path);
  const cpu = watchCpu();
  const shipped = Array.from({ length: rounds }, () => readIn("shipped", folder.path));
  const own = Array.from({ length: rounds }, () => readIn("own", folder.path));
  const calls = await callCosts();
  const { medianOf } = reportWith(cpu.foreignShare());
  const ms = (read: readonly Read[]) => read.map(({ milliseconds }) => milliseconds);
  const megabytes = (read: readonly Read[]) => read.map((each) => each.megabytes);
  const one = "one call of a declared class, beside the router's";
  return [
    medianOf(`${count} classes that ship: CPU at start`, ms(shipped), "ms", atMost(30)),
    medianOf(`${count} classes that ship: memory`, megabytes(shipped), "MB", atMost(10)),
    medianOf(`${count} classes of an operator, checked: CPU at start`, ms(own), "ms"),
    medianOf(`${count} classes of an operator: memory`, megabytes(own), "MB", atMost(10)),
    medianOf(`${one}: mean`, [mean(calls)], "ms", atMost(2)),
    medianOf(`${one}: slowest class`, [Math.max(...calls)], "ms", atMost(2)),
  ];
}

// The classes that ship, again and again under other names, in as many files and formatted as they are.
async function writeClasses(folder: string): Promise<void> {
  const files = (await shippedNodeFiles()).map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const parsed = files.map(({ path, text }): { path: string; file: { classes: { name: string }[] } } => ({
    path,
    file: JSON.parse(text),
  }));
  const shipped = parsed.reduce((sum, { file }) => sum + file.classes.length, 0);
  const turns = Math.ceil(count / shipped);
  let left = count;
  for (const { path, file } of parsed) {
    const copies = Array.from({ length: turns }, (_, turn) =>
      file.classes.map((each) => ({ ...each, name: `${each.name}${turn}` })),
    );
    const classes = copies.flat().slice(0, left);
    left -= classes.length;
    if (classes.length > 0)
      writeFileSync(join(folder, basename(path)), `${JSON.stringify({ ...file, classes }, null, 2)}\n`);
  }
}

interface Read {
  readonly milliseconds: number;
  readonly megabytes: number;
}

function readIn(way: "shipped" | "own", folder: string): Read {
  const words = ["--conditions=atelier-source", "--expose-gc", join(root, "bench/declared-child.ts"), way, folder];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

// Everything a job does for such a node except the call itself: describe, assemble, encode, hash, read the answer. Answers are
// texts, because decoding a picture costs the same wherever it comes from.
async function callCosts(): Promise<number[]> {
  const answer = {
    contentType: "application/json",
    bytes: Buffer.from(JSON.stringify({ text: "word ".repeat(2_000) })),
  };
  const costs: number[] = [];
  for (const lazy of await readNodes([])) {
    const declaration: NodeDeclaration = {
      ...lazy.read(),
      outputs: [{ type: "STRING", name: "text", from: ["/text"] }],
    };
    const once = async () => {
      const runner = declaredRunner({ ...declaration });
      const values = runner.description.inputs.map((input): [string, unknown] => [input.name, standardOf(input)]);
      const inputs = new Inputs(new Map(values.filter(([, value]) => value !== undefined)), runner.description.inputs);
      await runner.run(inputs, testContext({ callModel: async () => answer }));
    };
    const worked = await once().then(
      () => true,
      () => false,
    );
    if (!worked) continue;
    for (let turn = 0; turn < 10; turn++) await once();
    const [times, cpu] = [30, process.cpuUsage()];
    for (let turn = 0; turn < times; turn++) await once();
    const { user, system } = process.cpuUsage(cpu);
    costs.push((user + system) / 1000 / times);
  }
  return costs;
}
