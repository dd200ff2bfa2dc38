// A graph that is refused when a work runs, in the words of the work's form: an input that a node does not take is named by the
// form's name. Everything else is the work's own problem, and says what is missing here.
import { Fault } from "../../../foundation/fault.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { targetsOf } from "../form/work-form.ts";
import type { PreparedWork } from "./prepared-work.ts";

const namedMax = 20;

export function explainRefusal(fault: Fault, { form, id }: Pick<PreparedWork, "form" | "id">): Fault {
  if (fault.code === "missing_asset")
    return new Fault("validation_failed", fault.message, {
      details: [{ loc: ["body"], msg: "An asset that the inputs name does not exist", type: "value_error" }],
    });
  if (fault.code !== "validation_failed") return fault;
  const problems = nodeProblems(fault.details);
  const entries = problems.flatMap(({ node, input, text }) => {
    const named = form.inputs.find((one) => targetsOf(one).some((each) => each.node === node && each.input === input));
    return named === undefined ? [] : [{ loc: ["body", named.name], msg: text, type: "value_error" }];
  });
  if (entries.length > 0) return new Fault("validation_failed", "The input was rejected.", { details: entries });
  const reasons = [...new Set(problems.map(({ text }) => text))].slice(0, namedMax);
  const what = reasons.length === 0 ? fault.message : `${reasons.join("; ")}.`;
  return new Fault("service_unavailable", `${id} cannot run here now: ${what}`);
}

function nodeProblems(
  details: unknown,
): { readonly node: string; readonly input: string | null; readonly text: string }[] {
  const errors = isRecord(details) ? details["node_errors"] : undefined;
  if (!isRecord(errors)) return [];
  return Object.entries(errors).flatMap(([node, problems]) => {
    const list: readonly unknown[] = isRecord(problems) && Array.isArray(problems["errors"]) ? problems["errors"] : [];
    return list.flatMap((error) => {
      if (!isRecord(error)) return [];
      const extra = isRecord(error["extra_info"]) ? error["extra_info"]["input_name"] : undefined;
      const text = [error["message"], error["details"]]
        .filter((part) => typeof part === "string" && part !== "")
        .join(": ");
      return [{ node, input: typeof extra === "string" ? extra : null, text }];
    });
  });
}
