// The sum of many floats as the application's tensor library adds them: eight lanes of four running sums each, flushed level by
// level into larger ones, and added across only at the end. The order of the additions decides the last bit.
const lanes = 8;
const strands = 4;
const levels = 4;

const { fround } = Math;

export function cascadeSum(values: Float32Array): number {
  const vectors = Math.floor(values.length / lanes);
  const partial = sumOfVectors(values, vectors);
  let total = 0;
  for (let at = vectors * lanes; at < values.length; at++) total = fround(total + (values[at] ?? 0));
  for (const lane of partial) total = fround(total + lane);
  return total;
}

// For fewer floats than one vector, or floats that are not adjacent: four running sums, with the remainder added to the first.
export function sumByStrands(values: Float32Array): number {
  const rows = Math.floor(values.length / strands);
  const sums = sumOfRows(values, rows, strands);
  for (const value of values.subarray(rows * strands)) sums[0] = (sums[0] ?? 0) + value;
  return sums.reduce((sum, value) => fround(sum + value));
}

// Each column of a table. If there are enough, we add as many side by side as four vectors hold; if there is not even one vector
// of them, four.
export function sumsOfColumns(values: Float32Array, columns: number): Float32Array {
  const rows = values.length / columns;
  const together = columns - (columns % (columns < lanes ? strands : lanes * strands));
  return sumOfRows(values, rows, columns).map((sum, column) =>
    column < together ? sum : sumByStrands(values.filter((_, at) => at % columns === column)),
  );
}

function sumOfVectors(values: Float32Array, vectors: number): Float32Array {
  const width = lanes * strands;
  const rows = Math.floor(vectors / strands);
  const sums = sumOfRows(values, rows, width);
  const out = sums.subarray(0, lanes);
  const add = (lane: number, value: number) => {
    out[lane] = (out[lane] ?? 0) + value;
  };
  for (let at = rows * width; at < vectors * lanes; at++) add(at % lanes, values[at] ?? 0);
  for (let at = lanes; at < width; at++) add(at % lanes, sums[at] ?? 0);
  return out;
}

function sumOfRows(values: Float32Array, rows: number, width: number): Float32Array {
  const power = Math.max(4, Math.floor(Math.ceil(Math.log2(Math.max(rows, 1))) / levels));
  const step = 2 ** power;
  const sums = Array.from({ length: levels }, () => new Float32Array(width));
  const [first = new Float32Array(width)] = sums;
  const add = (to: Float32Array, from: Float32Array) => {
    for (let at = 0; at < width; at++) to[at] = (to[at] ?? 0) + (from[at] ?? 0);
  };
  for (let row = 0; row < rows; row++) {
    add(first, values.subarray(row * width, (row + 1) * width));
    if ((row + 1) % step !== 0) continue;
    for (let level = 1; level < levels; level++) {
      const [from = first, to = first] = [sums[level - 1], sums[level]];
      add(to, from);
      from.fill(0);
      if (((row + 1) & ((step - 1) << (level * power))) !== 0) break;
    }
  }
  for (const level of sums.slice(1)) add(first, level);
  return first;
}
