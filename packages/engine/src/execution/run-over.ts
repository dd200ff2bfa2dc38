// Runs a class over lists: one that takes lists runs once, any other once per value of the longest one. The runs' results become
// lists again.
import { itemsOf, listOf, type Value } from "../pictures/picture.ts";
import type { Budget } from "./budget.ts";
import type { Inputs } from "./inputs.ts";
import type { NodeContext, NodeRunner } from "./node-runner.ts";

// The values are held for the caller.
export async function runOver(
  runner: NodeRunner,
  inputs: Inputs,
  context: NodeContext,
  budget: Pick<Budget, "hold" | "dropUnheld">,
): Promise<Value[]> {
  const { times } = inputs;
  if (runner.description.takesLists === true || times === 1) {
    const values = await runner.run(inputs, context);
    budget.hold(values);
    return values;
  }
  const results: Value[][] = [];
  for (let index = 0; index < times; index++) {
    await context.breathe(index, times);
    const values = await runner.run(inputs.at(index), context);
    results.push(values);
    // What a run allocated is free for the next.
    budget.hold(values);
    budget.dropUnheld();
  }
  return runner.description.outputs.map((_, output) =>
    listOf(results.flatMap((values) => values.slice(output, output + 1).flatMap(itemsOf))),
  );
}
