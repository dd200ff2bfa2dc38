// Under which name the credits of a node are held beside those of the run. A node may be called "run" itself: were the two
// one part, the run's hold would be given back when that node begins to pay, and running time would cost nothing.
// A part has at most 255 characters, as an id has.
const taken = /^(node ){0,49}run$/;

export function partOfNode(nodeId: string): string {
  return taken.test(nodeId) ? `node ${nodeId}` : nodeId;
}
