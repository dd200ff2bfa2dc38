// What has a price: a model, a partner's operation, a node class.
export type Subject = `model:${string}/${string}` | `partner:${string}/${string}` | `node:${string}`;

const segment = "[a-z0-9]+([._-][a-z0-9]+)*";
const model = new RegExp(`^model:${segment}/${segment}$`);
// Operations may be paths, as partners spell them.
const partner = new RegExp(`^partner:${segment}(/${segment})+$`);
const subjectLengthMax = 300;

export function parseSubject(text: string): Subject | null {
  return isSubject(text) ? text : null;
}

function isSubject(text: string): text is Subject {
  if (text.length > subjectLengthMax) return false;
  return model.test(text) || partner.test(text) || isNodeSubject(text);
}

// Authors choose class names freely, including spaces and brackets.
function isNodeSubject(text: string): boolean {
  const name = text.slice("node:".length);
  return (
    text.startsWith("node:") && name !== "" && name === name.trim() && name.isWellFormed() && !/\p{Cc}/u.test(name)
  );
}
