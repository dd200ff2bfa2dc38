// The name under which a node's credits are held, next to those of the run. A node may itself be called "run": if the two
// shared a part, the run's hold would be given back when that node begins to pay, and running time would be free. A part has
// at most 255 characters, like an id.
const taken = /^(node ){0,49}run$/;

export function holdPart(nodeId: string): string {
  return taken.test(nodeId) ? `node ${nodeId}` : nodeId;
}
