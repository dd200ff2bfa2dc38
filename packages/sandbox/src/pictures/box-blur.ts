// A box that slides along a row or a column and writes its mean, in time independent of its radius. Edges repeat their last
// value.
export function slide(
  from: Float32Array,
  to: Float32Array,
  start: number,
  stride: number,
  count: number,
  reach: number,
): void {
  const share = 1 / (reach * 2 + 1);
  const last = count - 1;
  let sum = 0;
  for (let index = -reach; index <= reach; index++)
    sum += from[start + (index < 0 ? 0 : index > last ? last : index) * stride] ?? 0;
  for (let index = 0; index < count; index++) {
    to[start + index * stride] = sum * share;
    const enter = index + reach + 1;
    const leave = index - reach;
    sum +=
      (from[start + (enter > last ? last : enter) * stride] ?? 0) -
      (from[start + (leave < 0 ? 0 : leave) * stride] ?? 0);
  }
}
