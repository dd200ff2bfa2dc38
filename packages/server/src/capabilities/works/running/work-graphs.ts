// Works as v2 takes them: {work, inputs} instead of a workflow, and works as nodes of a graph.
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault, wrongField } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import { checkInput } from "../../model-calls/index.ts";
import type { ModelRunner } from "../../providers/index.ts";
import type { WorkForm } from "../form/work-form.ts";
import { readWorkReference } from "../publishing/published-work.ts";
import { findCallable } from "../publishing/work-read-store.ts";
import { containsWorks, type ExpandedGraph, expandForm, expandWorks, nestedWorksMax } from "./expand-works.ts";
import { type FillWorkDeps, fillWork } from "./fill-work.ts";
import { type PrepareWork, workModel } from "./prepared-work.ts";

export interface NamedWork {
  readonly workspaceId: WorkspaceId;
  readonly id: string;
  // The inputs as JSON.
  readonly body: Buffer;
  // Nothing runs, so no file is fetched.
  readonly isQuote: boolean;
}

export interface GraphDocument extends JsonDocument {
  readonly value: JsonRecord;
}

export interface WorkGraphs {
  // The graph that runs for these inputs. Throws validation_failed.
  fill(named: NamedWork): Promise<GraphDocument>;
  // With works in it replaced by their nodes. The same document if there are none.
  expand(workspaceId: WorkspaceId, graph: GraphDocument): Promise<GraphDocument>;
  // The same for publishing, with the form. A work cannot contain itself.
  expandToPublish(request: {
    readonly workspaceId: WorkspaceId;
    readonly modelId: string;
    readonly graph: JsonDocument;
    readonly form: WorkForm;
  }): Promise<{ readonly graph: JsonDocument; readonly form: WorkForm; readonly works: readonly string[] }>;
}

export interface WorkGraphsDeps extends FillWorkDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly prepare: PrepareWork;
}

export function createWorkGraphs(deps: WorkGraphsDeps): WorkGraphs {
  async function find(workspaceId: WorkspaceId, id: string) {
    const work = await findCallable(deps.database, { workspaceId, modelId: id, at: deps.clock.now() });
    return work === null ? null : deps.prepare(work);
  }

  async function expand(workspaceId: WorkspaceId, graph: JsonDocument): Promise<ExpandedGraph> {
    const expanded = await expandWorks(graph, (id) => find(workspaceId, id));
    if (expanded.depth > nestedWorksMax)
      throw new Fault(
        "validation_failed",
        `Works may be nested ${nestedWorksMax} deep, and this is ${expanded.depth}.`,
      );
    return expanded;
  }

  return {
    async fill({ workspaceId, id, body, isQuote }) {
      const work = await find(workspaceId, id);
      if (work === null) throw wrongField("work", "names no work that this workspace can call");
      const verdict = checkInput(workModel(work, id, neverRun), body);
      if (!verdict.ok)
        throw new Fault("validation_failed", "inputs: the input was rejected.", {
          details: { field: "inputs", errors: verdict.fault.details ?? verdict.fault.message },
        });
      return fillWork(deps, work, { workspaceId, body, isQuote });
    },
    expand: async (workspaceId, graph) => (containsWorks(graph.value) ? expand(workspaceId, graph) : graph),
    async expandToPublish({ workspaceId, modelId, graph, form }) {
      if (!isRecord(graph.value) || !containsWorks(graph.value)) return { graph, form, works: [] };
      const { works, replaced, ...expanded } = await expand(workspaceId, graph);
      if (works.some((id) => readWorkReference(id)?.modelId === modelId))
        throw new Fault("validation_failed", `${modelId} cannot contain itself, not even an earlier version.`);
      return { graph: expanded, form: expandForm(form, replaced), works };
    },
  };
}

const unused = async () => {
  throw new Fault("internal_error", "This model is only described.");
};
const neverRun: ModelRunner = { run: unused, ask: unused, quote: unused };
