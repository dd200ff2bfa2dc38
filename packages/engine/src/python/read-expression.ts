// Reads a Python expression of numbers, names, operators and calls into a tree, as far as the application's evaluator takes it.
// Everything else (texts, attributes, lists, lambdas) is refused.
export type Expression =
  | { readonly kind: "number"; readonly value: Numeric }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "logic"; readonly operator: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "compare"; readonly first: Expression; readonly rest: readonly Comparison[] }
  | { readonly kind: "choice"; readonly when: Expression; readonly then: Expression; readonly otherwise: Expression }
  | { readonly kind: "call"; readonly name: string; readonly given: readonly Expression[] }
  | { readonly kind: "item"; readonly of: Expression; readonly index: Expression };

export interface Comparison {
  readonly operator: string;
  readonly right: Expression;
}

// A bigint is an int, a number a float.
export type Numeric = bigint | number | boolean;

export class ExpressionProblem extends Error {}

const depthMax = 100;
const charactersMax = 10_000;
const token =
  /\s*(?:(0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+)|((?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|\/\/|<<|>>|<=|>=|==|!=|[-+*/%<>()[\],&|^~]))/y;

interface Token {
  readonly kind: "number" | "name" | "sign";
  readonly text: string;
}

function tokensOf(text: string): Token[] {
  if (text.length > charactersMax)
    throw new ExpressionProblem(`The expression is longer than ${charactersMax} characters.`);
  const found: Token[] = [];
  token.lastIndex = 0;
  const source = text.trimEnd();
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const [, based, decimal, name, sign] = token.exec(source) ?? [];
    const written = based ?? decimal;
    if (written !== undefined) found.push({ kind: "number", text: written });
    else if (name !== undefined) found.push({ kind: "name", text: name });
    else if (sign !== undefined) found.push({ kind: "sign", text: sign });
    else throw new ExpressionProblem(`The expression is not understood at “${source.slice(at, at + 20).trim()}”.`);
  }
  return found;
}

// Weakest first; each level binds its operands from the next one.
const levels: readonly (readonly string[])[] = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "//", "%"]];
const comparisons = new Set(["<", ">", "<=", ">=", "==", "!="]);

export function readExpression(text: string): Expression {
  const reader = new Reader(tokensOf(text));
  const made = reader.choice();
  reader.end();
  return made;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#at < this.#tokens.length) this.#refuse();
  }

  // then if when else otherwise
  choice(): Expression {
    this.#depth += 1;
    if (this.#depth > depthMax) throw new ExpressionProblem("The expression is nested too deeply.");
    const then = this.#or();
    let made = then;
    if (this.#takes("if")) {
      const when = this.#or();
      this.#needs("else");
      made = { kind: "choice", when, then, otherwise: this.choice() };
    }
    this.#depth -= 1;
    return made;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#takes("or")) left = { kind: "logic", operator: "or", left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#takes("and")) left = { kind: "logic", operator: "and", left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    if (!this.#takes("not")) return this.#compared();
    this.#deeper();
    return { kind: "unary", operator: "not", of: this.#not() };
  }

  #compared(): Expression {
    const first = this.#level(0);
    const rest: Comparison[] = [];
    for (let next = this.#peek(); next && comparisons.has(next.text); next = this.#peek()) {
      this.#at += 1;
      rest.push({ operator: next.text, right: this.#level(0) });
    }
    return rest.length === 0 ? first : { kind: "compare", first, rest };
  }

  #level(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return this.#signed();
    let left = this.#level(level + 1);
    for (let next = this.#peek(); next && operators.includes(next.text); next = this.#peek()) {
      this.#at += 1;
      left = { kind: "binary", operator: next.text, left, right: this.#level(level + 1) };
    }
    return left;
  }

  #signed(): Expression {
    const next = this.#peek();
    if (next?.kind !== "sign" || !"+-~".includes(next.text)) return this.#power();
    this.#at += 1;
    this.#deeper();
    return { kind: "unary", operator: next.text, of: this.#signed() };
  }

  // Binds from the right, and stronger than a sign before it.
  #power(): Expression {
    const base = this.#part();
    if (!this.#takes("**")) return base;
    this.#deeper();
    return { kind: "binary", operator: "**", left: base, right: this.#signed() };
  }

  #part(): Expression {
    let made = this.#atom();
    while (this.#takes("[")) {
      made = { kind: "item", of: made, index: this.choice() };
      this.#needs("]");
    }
    return made;
  }

  #atom(): Expression {
    const next = this.#peek();
    if (next === undefined) throw new ExpressionProblem("The expression ends too early.");
    this.#at += 1;
    if (next.kind === "number") return { kind: "number", value: numberOf(next.text) };
    if (next.kind === "name") return this.#named(next.text);
    if (next.text !== "(") {
      this.#at -= 1;
      return this.#refuse();
    }
    const inner = this.choice();
    this.#needs(")");
    return inner;
  }

  #named(name: string): Expression {
    if (name === "True" || name === "False") return { kind: "number", value: name === "True" };
    if (!this.#takes("(")) return { kind: "name", name };
    const given: Expression[] = [];
    while (!this.#takes(")")) {
      given.push(this.choice());
      if (this.#peek()?.text !== ")") this.#needs(",");
    }
    return { kind: "call", name, given };
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #takes(text: string): boolean {
    if (this.#peek()?.text !== text) return false;
    this.#at += 1;
    return true;
  }

  #needs(text: string): void {
    if (!this.#takes(text)) this.#refuse();
  }

  // Signs and powers nest without brackets.
  #deeper(): void {
    this.#depth += 1;
    if (this.#depth > 10 * depthMax) throw new ExpressionProblem("The expression is nested too deeply.");
  }

  #refuse(): never {
    const found = this.#peek();
    throw new ExpressionProblem(
      found === undefined ? "The expression ends too early." : `The expression is not understood at “${found.text}”.`,
    );
  }
}

function numberOf(text: string): Numeric {
  const digits = text.replaceAll("_", "");
  return /^0[xXbBoO]|^\d+$/.test(digits) ? BigInt(digits) : Number(digits);
}
