// Which graphs an application can run, by the classes it described, as the v2 area asks. While the application cannot be
// reached nothing can be judged, so nothing is accepted: that is told as what it is (503), and nothing is stored.
import { convertUiGraph, isUiGraph } from "@atelier/engine";
import type { Graphs } from "../../areas/workflows/index.ts";
import { type Application, type ApplicationClasses, judgeGraph } from "../../capabilities/applications/index.ts";
import { Fault } from "../../foundation/fault.ts";

export interface ApplicationGraphsOptions {
  // Whether a graph may name files that lie in the application's own folders: where they all belong to the caller
  // (self-hosted), and nowhere else. Default: only the caller's assets.
  readonly files?: "assets" | "application";
}

export function applicationGraphs(
  application: Pick<Application, "state" | "classes" | "refreshClasses">,
  options: ApplicationGraphsOptions = {},
): Graphs {
  const classes = (): ApplicationClasses => {
    const known = application.classes();
    if (known === null) application.refreshClasses();
    if (known === null || application.state() === "down") throw unreachable();
    return known;
  };
  return {
    isEditorFormat: isUiGraph,
    convert: (workflow) => convertUiGraph(workflow, classes().described),
    check(graph) {
      const verdict = judgeGraph(graph, classes(), { allowsApplicationFiles: options.files === "application" });
      // A file or model may have come since the lists were read: the next try sees it.
      if (!verdict.ok) application.refreshClasses();
      return verdict;
    },
    fileInputs: (classType) =>
      classes()
        .fileInputs.get(classType)
        ?.map(({ name }) => name) ?? [],
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
