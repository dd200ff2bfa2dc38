// Which graphs an application can run, judged by the classes it described. While the application cannot be reached we cannot
// judge anything, so we accept and store nothing and answer 503.
import { builtInClasses, conversionOf, isUiGraph } from "@atelier/engine";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import {
  type Application,
  type ApplicationClasses,
  descriptionWithoutFiles,
  judgeGraph,
} from "../applications/index.ts";
import type { PoolId } from "../jobs/index.ts";
import type { ClassLocation, DescribedClasses, Graphs } from "./graphs.ts";

export interface ApplicationGraphsOptions {
  // Whether a graph may name files in the application's own folders, and its classes list them. Only for self-hosted, where
  // all of them belong to the caller. By default only the caller's assets are allowed.
  readonly files?: "assets" | "application";
  // The pool whose workers run next to it. Absent if it belongs to the surface itself.
  readonly poolId?: PoolId;
  // Files and models appear without notice: with a clock, the classes are read again when they are looked at.
  readonly clock?: Clock;
}

export type ReadApplication = Pick<Application, "state" | "classes" | "refreshClasses">;

const lookAgainMs = 10_000;

export function applicationGraphs(application: ReadApplication, options: ApplicationGraphsOptions = {}): Graphs {
  const ownFiles = options.files === "application";
  const classes = (): ApplicationClasses => {
    const known = application.classes();
    if (known === null) application.refreshClasses();
    if (known === null || application.state() === "down") throw unreachable();
    return known;
  };
  const lookAgain = rarely(options.clock, () => application.refreshClasses());
  const described = describer(options);
  return {
    isEditorFormat: isUiGraph,
    convert: (workflow) => conversionOf(workflow, classes().shown),
    check(graph) {
      const verdict = judgeGraph(graph, classes(), { allowsApplicationFiles: ownFiles });
      // A file or model may have been added since the lists were read; the next try will see it.
      if (!verdict.ok) application.refreshClasses();
      return verdict;
    },
    classes() {
      lookAgain();
      return described(classes());
    },
    fileInputs: (classType) =>
      classes()
        .fileInputs.get(classType)
        ?.map(({ name }) => name) ?? [],
    wayOn: (unknown) => wayOnBeside(unknown, options.poolId === undefined),
  };
}

// People try our own engine's classes first: every sample graph of the server uses some.
function wayOnBeside(unknown: readonly string[], isProxy: boolean): string {
  const where = isProxy ? "The application behind this proxy" : "No application behind these workers";
  const install = `${where} ${isProxy ? "does not have" : "has"} them: install the nodes there.`;
  if (!unknown.some((name) => builtInClasses.has(name))) return install;
  const server = "Classes of Atelier's own engine, such as AtelierModelImage, run on the server and on no application";
  return `${server}: submit the graph there${unknown.every((name) => builtInClasses.has(name)) ? "." : `. ${install}`}`;
}

function rarely(clock: Clock | undefined, look: () => void): () => void {
  let nextMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock === undefined || clock.monotonicMs() < nextMs) return;
    nextMs = clock.monotonicMs() + lookAgainMs;
    look();
  };
}

function describer({ files, poolId }: ApplicationGraphsOptions): (classes: ApplicationClasses) => DescribedClasses {
  const isBeside = poolId === undefined;
  const location: ClassLocation = { engine: false, pools: isBeside ? [] : [poolId], application: isBeside };
  let known: { readonly of: ApplicationClasses; readonly described: DescribedClasses } | null = null;
  return (classes) => {
    if (known?.of === classes) return known.described;
    const names = [...classes.said.keys()];
    const descriptions =
      files === "application"
        ? classes.said
        : new Map(names.map((name) => [name, descriptionWithoutFiles(classes, name)]));
    known = { of: classes, described: { descriptions, locationOf: () => location } };
    return known.described;
  };
}

function unreachable(): Fault {
  return new Fault(
    "upstream_unreachable",
    "The application that runs workflows cannot be reached. Try again shortly.",
    {
      retryAfterSeconds: 2,
    },
  );
}
