// The sandbox as a provider: its models become an ordinary definition.
import type { SandboxModel } from "@atelier/sandbox/beside";
import type { ProviderDefinition } from "./definition.ts";

export function sandboxDefinition(
  url: string,
  models: readonly SandboxModel[],
  credential: ProviderDefinition["credential"],
): ProviderDefinition {
  return {
    provider: "sandbox",
    title: "Sandbox",
    base_url: url,
    credential,
    reference_header: "X-Request-Reference",
    models: models.map(definitionOf),
  };
}

function definitionOf(model: SandboxModel): ProviderDefinition["models"][number] {
  const { poll, output } = model;
  const rule = (found: { pointer: string; equals: string } | null, means: "refused" | "failed") =>
    found ? [{ when: { pointer: found.pointer, equals: found.equals }, means, message: "/error/message" }] : [];
  return {
    model: model.name,
    title: model.title,
    kind: kindOf(model),
    description: `${model.description}\n\n${output.description}`,
    released: true,
    submit: { path: model.path, encoding: "json" },
    ...(poll
      ? {
          poll: {
            handle: poll.handlePointer,
            path: poll.path.replace("{id}", "{handle}"),
            interval_ms: Math.round(poll.intervalSeconds * 500),
            interval_ms_max: Math.round(poll.intervalSeconds * 2000),
            state: poll.statePointer,
            pending: [...poll.pending],
            succeeded: [...poll.success],
            failed: [...poll.failure],
            refused: [...poll.refusal],
            cancelled: [...poll.cancelled],
          },
          cancel: {
            method: poll.cancel.method,
            path: poll.cancel.path.replace("{id}", "{handle}"),
            charged: poll.cancel.charged,
          },
        }
      : {}),
    ...(output.stream ? { stream: { ...output.stream, whole: [...output.stream.whole] } } : {}),
    ...(output.resultPointers.length > 0 ? { result: [...output.resultPointers] } : {}),
    ...(output.contentType === "application/json" ? {} : { output_types: [output.contentType] }),
    rules: [...rule(model.refusal, "refused"), ...rule(model.failure, "failed")],
    price: model.price,
    nodes: model.nodes.map(({ platforms, widgets, ...node }) => ({
      ...node,
      ...(platforms ? { platforms: [...platforms] } : {}),
      ...(widgets ? { widgets: { ...widgets } } : {}),
    })),
    usage: { ...output.usagePointers },
    charges_on_policy_rejection: model.chargesOnPolicyRejection,
    input_schema: model.inputSchema === null ? null : { ...model.inputSchema },
    ...(output.schema === null ? {} : { output_schema: { ...output.schema } }),
    recovery: "ask",
    ask: { path: model.lookUp.responsePath, not_found: [404], running: [409] },
    longest_run_seconds: model.longestRunSeconds,
  };
}

function kindOf({ modalities }: SandboxModel) {
  const [first] = modalities.output;
  return (["image", "video", "audio", "text"] as const).find((kind) => kind === first) ?? "other";
}
