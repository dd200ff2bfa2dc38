// Computes a Python expression as Python does: whole numbers of any size stay whole, `/` gives a float, `//` and `%` follow the
// sign of the divisor, halves are rounded to even.
import { roundHalfEven } from "../pictures/picture.ts";
import { type Expression, ExpressionProblem, type Numeric } from "./read-expression.ts";

export type ExpressionValue = Numeric | readonly Numeric[];

// The application's evaluator refuses larger ones too. The limit on bits also holds for a chain of multiplications.
const powerMax = 4_000_000;
const bitsMax = 16_384n;

export function evaluateExpression(
  expression: Expression,
  names: ReadonlyMap<string, ExpressionValue>,
): ExpressionValue {
  const inner = (each: Expression) => evaluateExpression(each, names);
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "name":
      return names.get(expression.name) ?? refuse(`'${expression.name}' is not defined`);
    case "unary":
      return unary(expression.operator, inner(expression.of));
    case "binary":
      return binary(expression.operator, numeric(inner(expression.left)), numeric(inner(expression.right)));
    case "logic": {
      const left = inner(expression.left);
      return isTrue(left) === (expression.operator === "or") ? left : inner(expression.right);
    }
    case "compare": {
      let left = numeric(inner(expression.first));
      for (const { operator, right } of expression.rest) {
        const value = numeric(inner(right));
        if (!compared(operator, left, value)) return false;
        left = value;
      }
      return true;
    }
    case "choice":
      return isTrue(inner(expression.when)) ? inner(expression.then) : inner(expression.otherwise);
    case "item":
      return itemOf(inner(expression.of), numeric(inner(expression.index)));
    case "call":
      return call(expression.name, expression.given.map(inner));
  }
}

function refuse(message: string): never {
  throw new ExpressionProblem(`The expression cannot be computed: ${message}.`);
}

function numeric(value: ExpressionValue): Numeric {
  return isList(value) ? refuse("a list is not a number") : value;
}

const isList = (value: ExpressionValue): value is readonly Numeric[] => typeof value === "object";
const isTrue = (value: ExpressionValue): boolean => (isList(value) ? value.length > 0 : Boolean(value));

// A truth value counts as 1 or 0.
const plain = (value: Numeric): bigint | number => (typeof value === "boolean" ? BigInt(value) : value);

function whole(value: bigint): bigint {
  return BigInt.asIntN(Number(bitsMax), value) === value ? value : refuse("a number becomes too large");
}

function unary(operator: string, given: ExpressionValue): Numeric {
  if (operator === "not") return !isTrue(given);
  const value = plain(numeric(given));
  if (operator === "-") return -value;
  if (operator === "+") return value;
  return typeof value === "bigint" ? ~value : refuse("~ needs a whole number");
}

function binary(operator: string, one: Numeric, other: Numeric): Numeric {
  const [left, right] = [plain(one), plain(other)];
  if (typeof left === "bigint" && typeof right === "bigint") return ofWholes(operator, left, right);
  const [a, b] = [Number(left), Number(right)];
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? refuse("division by zero") : a / b;
    case "//":
      return floatQuotient(a, b);
    case "%":
      return floatRest(a, b);
    case "**":
      return power(left, right);
    default:
      return refuse(`${operator} needs whole numbers`);
  }
}

function ofWholes(operator: string, a: bigint, b: bigint): Numeric {
  switch (operator) {
    case "+":
      return whole(a + b);
    case "-":
      return whole(a - b);
    case "*":
      return whole(a * b);
    case "/":
      return b === 0n ? refuse("division by zero") : wholeRatio(a, b);
    case "//":
    case "%": {
      if (b === 0n) return refuse("division by zero");
      const rest = ((a % b) + b) % b;
      return operator === "%" ? rest : (a - rest) / b;
    }
    case "**":
      return power(a, b);
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    default:
      return shifted(operator, a, b);
  }
}

function shifted(operator: string, value: bigint, by: bigint): bigint {
  if (by < 0n) return refuse("a shift count is negative");
  if (by > bitsMax) return operator === "<<" ? refuse("a number becomes too large") : value < 0n ? -1n : 0n;
  return operator === "<<" ? whole(value << by) : value >> by;
}

// Rounded once: the quotient gets more bits than a float has, the last of them set if anything is left.
function wholeRatio(a: bigint, b: bigint): number {
  const [one, other] = [Number(a), Number(b)];
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) return one / other;
  const bits = (value: bigint) => value.toString(2).length;
  const shift = Math.max(0, bits(b) - bits(a) + 70);
  const top = a << BigInt(shift);
  const quotient = top / b;
  const sticky = top % b === 0n ? quotient : quotient | 1n;
  const half = shift >> 1;
  return Number(sticky) / 2 ** half / 2 ** (shift - half);
}

function power(base: bigint | number, exponent: bigint | number): Numeric {
  if (Math.abs(Number(base)) > powerMax || Math.abs(Number(exponent)) > powerMax)
    return refuse("the numbers of a power are too large");
  if (typeof base === "bigint" && typeof exponent === "bigint" && exponent >= 0n) {
    const bits = BigInt(base.toString(2).length) * exponent;
    return bits > bitsMax && base !== 0n && base !== 1n && base !== -1n
      ? refuse("a number becomes too large")
      : base ** exponent;
  }
  if (Number(base) === 0 && Number(exponent) < 0) return refuse("zero cannot have a negative power");
  return Number(base) ** Number(exponent);
}

function floatRest(a: number, b: number): number {
  if (b === 0) return refuse("division by zero");
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

function floatQuotient(a: number, b: number): number {
  const quotient = (a - floatRest(a, b)) / b;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function compared(operator: string, one: Numeric, other: Numeric): boolean {
  // Whole numbers and floats compare exactly in JavaScript too.
  const [a, b] = [plain(one), plain(other)];
  switch (operator) {
    case "<":
      return a < b;
    case ">":
      return a > b;
    case "<=":
      return a <= b;
    case ">=":
      return a >= b;
    case "==":
      return a <= b && a >= b;
    default:
      return !compared("==", one, other);
  }
}

function itemOf(value: ExpressionValue, index: Numeric): Numeric {
  if (!isList(value)) return refuse("only a list has items");
  const at = plain(index);
  if (typeof at !== "bigint") return refuse("an index must be a whole number");
  return value.at(Number(at)) ?? refuse("an index is out of range");
}

type Call = (given: readonly ExpressionValue[]) => Numeric;

const numbers = (given: readonly ExpressionValue[]): Numeric[] => given.map(numeric);

// One list, or several numbers.
function several(given: readonly ExpressionValue[]): Numeric[] {
  const [first] = given;
  return given.length === 1 && first !== undefined && isList(first) ? [...first] : numbers(given);
}

function extreme(name: "min" | "max"): Call {
  return (given) => {
    const [first, ...rest] = several(given);
    if (first === undefined || (given.length === 1 && rest.length === 0 && !isList(given[0] ?? 0)))
      return refuse(`${name} needs several numbers`);
    return rest.reduce((best, each) => (compared(name === "min" ? "<" : ">", each, best) ? each : best), first);
  };
}

function ofOne(name: string, compute: (value: bigint | number) => Numeric): Call {
  return (given) => {
    const [value] = numbers(given);
    return value === undefined || given.length !== 1 ? refuse(`${name} needs one number`) : compute(plain(value));
  };
}

function real(name: string, compute: (value: number) => number): Call {
  return ofOne(name, (value) => {
    const made = compute(Number(value));
    return Number.isFinite(made) ? made : refuse(`${name} is not defined there`);
  });
}

function toWhole(value: number): bigint {
  return Number.isFinite(value) ? BigInt(value) : refuse("an infinite number is not whole");
}

function rounded(value: bigint | number, digits: bigint | number | undefined): Numeric {
  if (digits === undefined) return typeof value === "bigint" ? value : toWhole(roundHalfEven(value));
  if (typeof digits !== "bigint" || digits > 100n || digits < -100n) return refuse("round needs a number of digits");
  if (typeof value === "bigint") return digits >= 0n ? value : roundedWhole(value, 10n ** -digits);
  if (digits < 0n) return Number(roundedWhole(toWhole(roundHalfEven(value)), 10n ** -digits));
  return Math.abs(value) < 1e21 ? roundedTo(value, Number(digits)) : value;
}

// By the exact digits of the value: 2.675 is a little less than that, 0.125 is exactly between 0.12 and 0.13.
function roundedTo(value: number, digits: number): number {
  const written = Math.abs(value).toFixed(100);
  const end = written.indexOf(".") + 1 + digits;
  const isTie = /^50*$/.test(written.slice(end)) && Number(written.slice(0, end).replace(/\.$/, "").at(-1)) % 2 === 0;
  return isTie ? Math.sign(value) * Number(written.slice(0, end)) : Number(value.toFixed(digits));
}

function roundedWhole(value: bigint, unit: bigint): bigint {
  const rest = ((value % unit) + unit) % unit;
  const floor = value - rest;
  const isUp = rest * 2n > unit || (rest * 2n === unit && (floor / unit) % 2n !== 0n);
  return isUp ? floor + unit : floor;
}

function logarithm(given: readonly ExpressionValue[]): Numeric {
  const [value, base] = numbers(given).map((each) => Number(each));
  if (value === undefined || value <= 0 || given.length > 2) return refuse("log is not defined there");
  if (base === undefined) return Math.log(value);
  return base > 0 && base !== 1 ? Math.log(value) / Math.log(base) : refuse("log is not defined there");
}

const calls: ReadonlyMap<string, Call> = new Map<string, Call>([
  ["sum", (given) => several(given).reduce((sum, each) => binary("+", sum, each), 0n)],
  ["min", extreme("min")],
  ["max", extreme("max")],
  ["abs", ofOne("abs", (value) => (value < 0 ? -value : value))],
  [
    "round",
    (given) => {
      const [value, digits] = numbers(given).map(plain);
      return value === undefined || given.length > 2 ? refuse("round needs a number") : rounded(value, digits);
    },
  ],
  [
    "pow",
    (given) => {
      const [base, exponent] = numbers(given).map(plain);
      if (base === undefined || exponent === undefined || given.length !== 2) return refuse("pow needs two numbers");
      return Math.abs(Number(exponent)) > 4_000 ? refuse("the exponent is larger than 4000") : power(base, exponent);
    },
  ],
  ["sqrt", real("sqrt", Math.sqrt)],
  ["ceil", ofOne("ceil", (value) => (typeof value === "bigint" ? value : toWhole(Math.ceil(value))))],
  ["floor", ofOne("floor", (value) => (typeof value === "bigint" ? value : toWhole(Math.floor(value))))],
  ["log", logarithm],
  ["log2", real("log2", Math.log2)],
  ["log10", real("log10", Math.log10)],
  ["sin", real("sin", Math.sin)],
  ["cos", real("cos", Math.cos)],
  ["tan", real("tan", Math.tan)],
  ["int", ofOne("int", (value) => (typeof value === "bigint" ? value : toWhole(Math.trunc(value))))],
  ["float", ofOne("float", Number)],
]);

function call(name: string, given: readonly ExpressionValue[]): Numeric {
  return calls.get(name)?.(given) ?? refuse(`there is no function '${name}'`);
}
