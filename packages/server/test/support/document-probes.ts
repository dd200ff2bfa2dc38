// Probes of one operation, derived from the served document: the example call with one thing changed, and whether the
// document allows the change. Allowed changes can be tried several at a time.
import type { Json, Operation } from "@atelier/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { AppRequest } from "./app-client.ts";
import { boundaryValues, isValues, simplest, type Values, valuesOf } from "./boundary-values.ts";

export interface Probe {
  // Such as `body.name`, `query.limit`, `header.Idempotency-Key`, `path.nodeId`.
  readonly location: string;
  readonly value: unknown;
  readonly isAllowed: boolean;
  readonly edit: (request: AppRequest) => AppRequest;
}

type Steps = readonly (string | number)[];

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
// The formats as the standard defines them.
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  "date-time": (text) => dateTime.test(text) && isDay(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text),
  "uri-reference": (text) => /^\S*$/.test(text),
};

// A date that JavaScript moves into the next month is not valid.
function isDay(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}

export class DocumentProbes {
  readonly #document: Values;
  readonly #ajv = new Ajv2020({ strict: false, logger: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.#document = valuesOf(document);
    for (const [name, format] of Object.entries(formats)) this.#ajv.addFormat(name, format);
    this.#ajv.addFormat("int64", true);
    this.#ajv.addSchema({ $id: "atelier", ...this.#document });
  }

  ofOperation(operation: Operation, example: AppRequest): readonly Probe[] {
    const described = valuesOf(
      valuesOf(valuesOf(this.#document["paths"])[operation.path])[operation.method.toLowerCase()],
    );
    const parameters = Array.isArray(described["parameters"]) ? described["parameters"].map(valuesOf) : [];
    const ofParameters = parameters.flatMap((parameter) => this.#ofParameter(operation, parameter));
    const content = valuesOf(valuesOf(valuesOf(described["requestBody"])["content"])["application/json"]);
    return isValues(example.body) && isValues(content["schema"])
      ? [...ofParameters, ...this.#ofBody(content["schema"], example.body)]
      : ofParameters;
  }

  #ofParameter(operation: Operation, parameter: Values): readonly Probe[] {
    const { in: location, name, schema } = parameter;
    const resolved = this.#resolve(schema);
    const texts = new Set(boundaryValues(this.#whole(resolved)).flatMap(textOf));
    const fits = location === "header" ? [...texts].filter((text) => /^[!-~](?:[ -~]*[!-~])?$/.test(text)) : [...texts];
    return fits
      .filter((text) => location !== "path" || text !== "")
      .map((text) => ({
        location: `${String(location)}.${String(name)}`,
        value: text,
        isAllowed: this.#allows(schema, this.#read(this.#whole(resolved), text)),
        edit: editOf(operation, String(location), String(name), text),
      }));
  }

  // Converts the text of an address or header into the value that its schema describes.
  #read(schema: Values, text: string): unknown {
    if (schema["type"] === "array") return [this.#read(valuesOf(schema["items"]), text)];
    if (schema["type"] === "boolean") return text === "true" ? true : text === "false" ? false : text;
    const isNumber = schema["type"] === "integer" || schema["type"] === "number";
    return isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  }

  #ofBody(schema: Values, example: Values): readonly Probe[] {
    const probes: Probe[] = [];
    const add = (steps: Steps, value: unknown) => {
      const body = changed(example, steps, value);
      const location = ["body", ...steps.map((step) => (typeof step === "number" ? "0" : step))].join(".");
      const isAllowed = this.#allows(schema, body);
      const edit = (request: AppRequest) => ({ ...request, body: changed(request.body, steps, value) });
      probes.push({ location, value, isAllowed, edit });
    };
    this.#walk(this.#whole(this.#resolve(schema)), example, [], add);
    return probes;
  }

  #walk(schema: Values, held: unknown, steps: Steps, add: (steps: Steps, value: unknown) => void): void {
    if (steps.length > 4) return;
    const variants =
      Array.isArray(schema["anyOf"]) && schema["type"] === undefined ? schema["anyOf"].map(valuesOf) : [];
    for (const variant of variants) this.#walk(variant, held, steps, add);
    if (schema["type"] === "array" && steps.length > 0) {
      const item = valuesOf(schema["items"]);
      if (item["type"] === "object") this.#walk(item, simplest(item), [...steps, 0], add);
    }
    if (schema["type"] !== "object") return;
    add([...steps, "no_such_member"], 1);
    const map = schema["additionalProperties"];
    if (isValues(map) && Object.keys(map).length > 0)
      for (const value of boundaryValues(map)) add([...steps, "some_name"], value);
    for (const [name, part] of Object.entries(valuesOf(schema["properties"])).map(
      ([key, one]) => [key, valuesOf(one)] as const,
    )) {
      const at = [...steps, name];
      for (const value of distinct(boundaryValues(part))) add(at, value);
      add(at, undefined);
      this.#walk(part, valuesOf(held)[name] ?? simplest(part), at, add);
    }
  }

  #resolve(schema: unknown): unknown {
    const reference = valuesOf(schema)["$ref"];
    if (typeof reference !== "string") return schema;
    return reference
      .slice(2)
      .split("/")
      .reduce<unknown>((at, step) => valuesOf(at)[step], this.#document);
  }

  // The schema with its references resolved. None of our schemas refers to itself.
  #whole(schema: unknown): Values {
    const resolved = this.#resolve(schema);
    const inside = (value: unknown): unknown => {
      const found = this.#resolve(value);
      if (Array.isArray(found)) return found.map(inside);
      return isValues(found)
        ? Object.fromEntries(Object.entries(found).map(([key, part]) => [key, inside(part)]))
        : found;
    };
    return valuesOf(inside(resolved));
  }

  #allows(schema: unknown, value: unknown): boolean {
    const text = JSON.stringify(schema);
    const known = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text.replaceAll('"#/', '"atelier#/')));
    this.#validators.set(text, known);
    return known(value);
  }
}

function textOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 1 ? textOf(value[0]) : [];
  return isValues(value) || value === null ? [] : [String(value)];
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function editOf(operation: Operation, location: string, name: string, text: string): Probe["edit"] {
  if (location === "header")
    return (request) => ({ ...request, headers: { ...without(request.headers ?? {}, name), [name]: text } });
  if (location === "path") {
    const at = operation.path.split("/").indexOf(`{${name}}`);
    return (request) => {
      const [path = "", query] = request.path.split("?");
      const replaced = path.split("/").with(at, encodeURIComponent(text)).join("/");
      return { ...request, path: query === undefined ? replaced : `${replaced}?${query}` };
    };
  }
  return (request) => {
    const [path = "", query = ""] = request.path.split("?");
    const parameters = new URLSearchParams(query);
    parameters.set(name, text);
    return { ...request, path: `${path}?${parameters.toString()}` };
  };
}

function without(headers: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([known]) => known.toLowerCase() !== name.toLowerCase()));
}

// A copy with one location changed; undefined removes it.
function changed(held: unknown, steps: Steps, value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === "number") return [changed(Array.isArray(held) ? held[step] : undefined, rest, value)];
  const members = Object.entries(valuesOf(held)).filter(([name]) => name !== step);
  const inside = changed(valuesOf(held)[step], rest, value);
  return Object.fromEntries(inside === undefined ? members : [...members, [step, inside]]);
}
