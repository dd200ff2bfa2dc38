import { useEffect, useState } from "react";
import { Evaluator, type Outcome, type Task } from "./evaluator.ts";

const evaluator = new Evaluator();

// The outcome of each task, in order; null while it is being computed. New tasks discard the old ones.
export function useOutcomes(tasks: readonly Task[]): readonly (Outcome | null)[] {
  const [outcomes, setOutcomes] = useState<readonly (Outcome | null)[]>([]);
  const text = JSON.stringify(tasks);
  useEffect(() => {
    const control = new AbortController();
    const asked: readonly Task[] = JSON.parse(text);
    setOutcomes((before) => asked.map((_, at) => before[at] ?? null));
    asked.forEach((task, at) => {
      evaluator
        .evaluate(task, control.signal)
        .then((outcome) => {
          if (!control.signal.aborted && outcome !== null) setOutcomes((before) => before.with(at, outcome));
        })
        .catch((thrown) => {
          const failed = {
            kind: "failed",
            code: "evaluator",
            message: String(thrown),
            position: null,
            token: null,
          } as const;
          if (!control.signal.aborted) setOutcomes((before) => before.with(at, failed));
        });
    });
    return () => control.abort();
  }, [text]);
  return outcomes;
}
