// The blend modes, four floats per iteration, every step in 32 bits: out = one × keep + mixed × take, clamped to 0..1. `two` may
// be anywhere in memory, but all three have the same length.
import {
  addFloats,
  type Code,
  chosen,
  constant,
  f32,
  float,
  get,
  i32,
  isAtMost,
  type KernelFunction,
  leastFloats,
  lessFloats,
  load,
  mostFloats,
  raise,
  rootOfFloats,
  set,
  splatFloat,
  store,
  timesFloats,
  until,
} from "./assemble.ts";

const [outAt, oneAt, twoAt, end, keep, take, a, b] = [0, 1, 2, 3, 4, 5, 7, 8];
const number = (value: number): Code => splatFloat(float(value));
const [one, two] = [get(a), get(b)];
const restOf = (value: Code): Code => lessFloats(number(1), value);
const product = timesFloats;

const mixed: Readonly<Record<string, Code>> = {
  normal: two,
  multiply: product(one, two),
  screen: restOf(product(restOf(one), restOf(two))),
  overlay: chosen(
    product(product(number(2), one), two),
    restOf(product(product(number(2), restOf(one)), restOf(two))),
    isAtMost(one, number(0.5)),
  ),
  soft_light: chosen(
    lessFloats(one, product(product(restOf(product(number(2), two)), one), restOf(one))),
    addFloats(one, product(lessFloats(product(number(2), two), number(1)), lessFloats(softened(), one))),
    isAtMost(two, number(0.5)),
  ),
  difference: lessFloats(one, two),
};

function softened(): Code {
  const inner = addFloats(product(lessFloats(product(number(16), one), number(12)), one), number(4));
  return chosen(product(inner, one), rootOfFloats(one), isAtMost(one, number(0.25)));
}

export function blendKernels(): KernelFunction[] {
  return Object.entries(mixed).map(([mode, mix]) => {
    const sum = addFloats(product(one, splatFloat(get(keep))), product(mix, splatFloat(get(take))));
    const turn: Code = [
      [set(a, load(get(oneAt))), set(b, load(get(twoAt)))],
      store(get(outAt), mostFloats(leastFloats(sum, number(1)), number(0))),
      [outAt, oneAt, twoAt].map((address) => raise(address, constant(16))),
    ];
    const body = until(oneAt, get(end), turn);
    return { name: mode, parameters: [i32, i32, i32, i32, f32, f32], integers: 1, vectors: 2, body };
  });
}
