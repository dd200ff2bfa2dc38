// Seeds of a model: which field takes one, which one made a result, and inputs that differ in nothing else.
import { isRecord } from "../../api/json-record.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { fieldKind, membersOf, resolved, type Schema } from "../../ui/schema-form/json-schema.ts";
import { randomSeed } from "../../ui/schema-form/values.ts";

export interface SeedField {
  readonly name: string;
  readonly most: number | null;
}

export function seedFieldOf(schema: Schema): SeedField | null {
  for (const { name, schema: field } of membersOf(resolved(schema, schema), schema)) {
    const kind = fieldKind(field, schema, name);
    if (kind.kind === "integer" && kind.isSeed) return { name, most: kind.most };
  }
  return null;
}

// The seed that an answer names: a work's under the inputs that were used, others where the model puts it.
export function seedIn(answer: unknown, name: string): number | bigint | null {
  if (!isRecord(answer)) return null;
  const inputs = isRecord(answer["inputs"]) ? answer["inputs"] : {};
  for (const value of [inputs[name], answer[name], answer["seed"]])
    if (typeof value === "number" || typeof value === "bigint") return value;
  return null;
}

export const withAnotherSeed = (input: Input, field: SeedField, draw = randomSeed): Input => {
  const before = input[field.name];
  const drawn = draw(field.most);
  return { ...input, [field.name]: drawn === before ? (drawn === 0 ? 1 : drawn - 1) : drawn };
};

// As many inputs as wanted, each with a seed of its own. Models without one draw it themselves.
export function withSeeds(input: Input, field: SeedField | null, count: number, draw = randomSeed): readonly Input[] {
  if (field === null) return Array.from({ length: count }, () => input);
  const seeds = new Set<number>();
  // A field with few values has no more seeds than that.
  for (let turn = 0; seeds.size < count && turn < count * 20; turn++) seeds.add(draw(field.most));
  return [...seeds].map((seed) => ({ ...input, [field.name]: seed }));
}
