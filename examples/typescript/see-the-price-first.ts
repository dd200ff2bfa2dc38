// What a graph would cost, before anything is paid; a limit that it may not pass; then the run, and what it was charged.
import { Atelier, type Graph, PriceAboveLimit } from "@atelier/sdk";

const atelier = new Atelier(); // ATELIER_URL, ATELIER_API_KEY

const graph: Graph = {
  drawn: {
    class_type: "AtelierModelImage",
    inputs: {
      model: "sandbox/image-1-queued",
      prompt: "a harbour",
      width: 256,
      height: 256,
      seed: 7,
      parameters: "{}",
    },
  },
  saved: { class_type: "SaveImage", inputs: { images: ["drawn", 0], filename_prefix: "harbour" } },
};

const { credits, nodes, expected_seconds: expected } = await atelier.estimates.workflow(graph);
for (const node of nodes) console.log(`${node.node_id}: ${node.credits.lowest} to ${node.credits.highest} credits`);
console.log(
  expected ? `such graphs took ${expected.median} s` : "no such graph has run here often enough to say how long",
);

// Refused before anything is submitted, with the nodes that make it dear.
try {
  await atelier.jobs.run(graph, { maxCredits: "0.001" });
} catch (error) {
  if (!(error instanceof PriceAboveLimit)) throw error;
  console.log(`refused: up to ${error.highest}, allowed ${error.limit}`);
}

const job = await atelier.jobs.run(graph, { maxCredits: credits.highest });
console.log(`${job.status}, ${job.outputs.length} picture, at most ${credits.highest} credits`);
