// A batch of the open graph: its plan, its price, and its submission as one group of jobs.
import { writeJson } from "@atelier/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { workflows as words } from "#strings/workflows";
import type { KnownClasses } from "../../../api/classes.ts";
import { ApiFault } from "../../../api/fault.ts";
import type { Graph } from "../../../api/graphs.ts";
import { estimateGraph, submitJob } from "../../../api/jobs.ts";
import { labelledInBatch } from "../../../api/labels.ts";
import { toast } from "../../../ui/toast.tsx";
import { apply, type Draft } from "../../../ui/workflow-form/draft.ts";
import { labelsFor } from "../use-run.ts";
import { type BatchPlan, type BatchSettings, type Planned, planBatch, runsOf, seedInputs } from "./batch-plan.ts";
import { submitInTurn } from "./submit-in-turn.ts";

interface BatchOf {
  readonly graph: Graph;
  readonly classes: KnownClasses;
  readonly draft: Draft;
  readonly labels: string;
  readonly savedId: string | undefined;
  // Null if no batch is wanted.
  readonly settings: BatchSettings | null;
  readonly hasPrices: boolean;
}

export interface Batch {
  readonly planned: Planned | null;
  readonly price: { readonly lowest: string; readonly highest: string } | null;
  readonly isBusy: boolean;
  // How many are submitted, while it is under way and after it stopped.
  readonly done: number;
  readonly fault: unknown;
  start(): void;
}

interface Ready {
  readonly id: string;
  readonly jobs: readonly { readonly body: Parameters<typeof submitJob>[0]; readonly key: string }[];
}

export function useBatch(of: BatchOf): Batch {
  const { graph, classes, draft, settings } = of;
  const navigate = useNavigate();
  const planned = useMemo(
    () => (settings === null ? null : planBatch({ graph, classes }, draft, settings)),
    [graph, classes, draft, settings],
  );
  const plan = planned !== null && "plan" in planned ? planned.plan : null;
  // What stopped in the middle goes on with the same jobs, until the settings change.
  const ready = useRef<{ readonly plan: BatchPlan; readonly made: Ready } | null>(null);
  const [done, setDone] = useState(0);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (plan === null) return null;
      if (ready.current?.plan !== plan) {
        ready.current = { plan, made: readyOf(of, plan) };
        setDone(0);
      }
      const { made } = ready.current;
      const turn = await submitInTurn(made.jobs, {
        from: ready.current.plan === plan ? done : 0,
        submit: ({ body, key }) => submitJob(body, key),
        waitFor,
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        onDone: setDone,
      });
      if (turn.fault !== null) throw turn.fault;
      return made;
    },
    onSuccess: (made) => {
      if (made === null) return;
      toast(words.batch.submitted(made.jobs.length));
      void navigate({ to: "/console/jobs", search: { q: `batch=${made.id}` } });
    },
  });
  const price = usePrice(of, plan);
  const isCurrent = ready.current?.plan === plan;
  return {
    planned,
    price,
    isBusy: isPending,
    done: isCurrent ? done : 0,
    fault: isCurrent ? error : null,
    start: mutate,
  };
}

function readyOf({ graph, classes, draft, labels, savedId, settings }: BatchOf, plan: BatchPlan): Ready {
  // Short, sortable by time, and different for two people who press at the same moment.
  const id = `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 4)}`;
  const seeds = seedInputs({ graph, classes }, draft);
  const metadata = labelsFor(savedId, labels);
  const jobs = runsOf(plan, seeds, settings?.seeds ?? "fixed").map((run) => ({
    key: crypto.randomUUID(),
    body: {
      workflow: apply(graph, classes, run.draft).graph,
      metadata: labelledInBatch(metadata, id, run.number, plan.jobs),
    },
  }));
  return { id, jobs };
}

// A full queue or too many requests: later there is room.
function waitFor(thrown: unknown): number | null {
  if (!(thrown instanceof ApiFault) || thrown.status !== 429) return null;
  return Math.min(30, Math.max(1, thrown.retryAfter ?? 2)) * 1_000;
}

// The sum over the whole grid: values may change the price.
function usePrice({ graph, classes, hasPrices }: BatchOf, plan: BatchPlan | null): Batch["price"] {
  const graphs = useMemo(
    () => (plan?.cells ?? []).map((cell) => apply(graph, classes, cell).graph),
    [graph, classes, plan],
  );
  const { data } = useQuery({
    queryKey: ["batch-estimate", writeJson(graphs)],
    enabled: hasPrices && graphs.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      let [lowest, highest] = [0, 0];
      for (const each of graphs) {
        const { credits } = await estimateGraph(each, signal);
        lowest += millionths(credits.lowest);
        highest += millionths(credits.highest);
      }
      return { lowest, highest };
    },
  });
  if (data === undefined || plan === null) return null;
  const times = (sum: number) => String((sum * plan.rounds) / 1e6);
  return { lowest: times(data.lowest), highest: times(data.highest) };
}

// Credits have six decimal places.
const millionths = (credits: string): number => Math.round(Number(credits) * 1e6);
