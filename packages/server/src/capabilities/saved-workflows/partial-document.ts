// The nodes of a document of which only what an outline reads is parsed, and only when it is read: the texts of thousands of nodes
// stay bytes. The outline is that of the whole document.
import type { JsonDocument } from "../../foundation/json/json-bytes.ts";
import type { JsonTape } from "../../foundation/json/json-tape.ts";
import type { DocumentFormat } from "./saved-workflow.ts";
import { apiNodes, type NodeOutline, outlineWorkflow } from "./workflow-outline.ts";

export interface PartialOutline {
  readonly format: DocumentFormat;
  readonly nodes: readonly NodeOutline[];
}

export function outlinePartly(
  tape: JsonTape,
  document: number,
  isEditorFormat: (value: unknown) => boolean,
): PartialOutline {
  // Words are made of texts: digits do not matter.
  const whole: JsonDocument = { value: new PartialRecord(tape, document), exactIntegers: new Map() };
  return isEditorFormat(whole.value)
    ? { format: "editor", nodes: [...outlineWorkflow(whole, true).values()] }
    : { format: "api", nodes: apiNodes(whole, membersInOrder(tape, document)) };
}

// An object has members with names like 7 first, by number.
function membersInOrder(tape: JsonTape, object: number): [string, unknown][] {
  const numbered: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const key of tape.keys(object)) {
    const name = tape.name(key);
    (isArrayIndex(name) ? numbered : others).push([name, recordOrNull(tape, key + 1)]);
  }
  if (numbered.length === 0) return others;
  return [...numbered.sort(([one], [other]) => Number(one) - Number(other)), ...others];
}

const isArrayIndex = (name: string) => /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;

const recordOrNull = (tape: JsonTape, value: number) => (tape.isObject(value) ? new PartialRecord(tape, value) : null);

// The names are those that an outline asks for: of an editor's document, its subgraphs, and nodes of either format.
class PartialRecord {
  readonly #tape: JsonTape;
  readonly #entry: number;

  constructor(tape: JsonTape, entry: number) {
    this.#tape = tape;
    this.#entry = entry;
  }

  get nodes(): unknown {
    return this.#records("nodes");
  }

  get subgraphs(): unknown {
    return this.#records("subgraphs");
  }

  get definitions(): unknown {
    const entry = this.#tape.member(this.#entry, "definitions");
    return entry === null ? null : recordOrNull(this.#tape, entry);
  }

  get links(): unknown {
    return this.#parsed("links");
  }

  get id(): unknown {
    return this.#parsed("id");
  }

  get type(): unknown {
    return this.#parsed("type");
  }

  get class_type(): unknown {
    return this.#parsed("class_type");
  }

  get title(): unknown {
    return this.#parsed("title");
  }

  get _meta(): unknown {
    return this.#parsed("_meta");
  }

  get inputs(): unknown {
    return this.#parsed("inputs");
  }

  get widgets_values(): unknown {
    return this.#parsed("widgets_values");
  }

  #records(name: string): unknown {
    const entry = this.#tape.member(this.#entry, name);
    if (entry === null || !this.#tape.isArray(entry)) return null;
    return this.#tape.items(entry).map((item) => recordOrNull(this.#tape, item));
  }

  #parsed(name: string): unknown {
    const entry = this.#tape.member(this.#entry, name);
    return entry === null ? undefined : this.#tape.parse(entry);
  }
}
