// Reports a run: progress over the submitted graph, and previews, both throttled no matter how many frames arrive.
import type { Clock } from "../../../foundation/clock.ts";
import { NodeBoard, type RunReport } from "../../graph-runs/index.ts";
import type { JobProgress } from "../../jobs/index.ts";
import type { JsonRecord } from "../line/json-record.ts";
import { type NewestWins, newestWins } from "../line/newest-wins.ts";
import type { ApplicationEvent } from "../line/read-frame.ts";
import { type FitPreviews, fitPreviews, type ShrinkPicture } from "./fit-previews.ts";
import { GraphProgress, progressNodes } from "./graph-progress.ts";

export interface ReporterOptions {
  readonly graph: JsonRecord;
  readonly isOutput: ((classType: string) => boolean) | null;
  readonly report: Pick<RunReport, "progress" | "preview" | "nodes">;
  readonly clock: Clock;
  readonly shrink: ShrinkPicture | null;
}

const progressEveryMs = 100;

export class RunReporter {
  readonly #progress: GraphProgress;
  readonly #previews: FitPreviews;
  readonly #paced: NewestWins<() => JobProgress>;
  #runningNode: string | null = null;

  constructor({ graph, isOutput, report, clock, shrink }: ReporterOptions) {
    const needed = progressNodes(graph, isOutput);
    const nodes = needed.length > 0 ? needed : progressNodes(graph, null);
    const board = new NodeBoard(nodes, clock);
    this.#progress = new GraphProgress(nodes, board);
    report.nodes(board);
    this.#previews = fitPreviews({ show: (preview) => report.preview(preview), shrink, clock });
    this.#paced = newestWins(clock, progressEveryMs, (snapshot) => report.progress(snapshot()));
  }

  onEvent(event: ApplicationEvent): void {
    if (event.kind === "executing") this.#runningNode = this.submittedNode(event.nodeId, event.displayNodeId);
    if (event.kind === "preview") {
      const nodeId = event.nodeId === null ? this.#runningNode : this.submittedNode(event.nodeId);
      if (nodeId !== null) this.#previews.offer({ nodeId, contentType: event.contentType, bytes: event.bytes });
    } else if (this.#progress.apply(event)) {
      this.#paced.offer(() => this.#progress.snapshot());
    }
  }

  // A node that cannot be traced to the graph keeps its own id: a strange id is better than none.
  submittedNode(nodeId: string, displayNodeId: string | null = null): string {
    return this.#progress.submittedNode(nodeId, displayNodeId) ?? nodeId;
  }

  finish(): void {
    this.#progress.finish();
    this.#paced.offer(() => this.#progress.snapshot());
    this.#paced.flush();
  }

  // Called before the end is reported, because the last preview is part of the run.
  settle(): Promise<void> {
    return this.#previews.settle();
  }

  close(): void {
    this.#paced.clear();
  }
}
