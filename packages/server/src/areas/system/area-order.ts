// The order of the areas in the reference and in llms.txt: first what programs call, then what people and operators need.
// Unlisted areas come last, in the order they were mounted.
const order = [
  "Model router",
  "v2 jobs",
  "v2 assets",
  "Partner proxy",
  "Price badges",
  "Node registry",
  "Agents",
  "Account",
  "Workers",
  "System",
];

const positionOf = (tag: string): number => (order.includes(tag) ? order.indexOf(tag) : order.length);

export function inReadingOrder(tags: Iterable<string>): string[] {
  return [...new Set(tags)].sort((one, other) => positionOf(one) - positionOf(other));
}
