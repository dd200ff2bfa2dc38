// What version 0.3.64 of the application sends over its websocket and HTTP, recorded from a real one and normalised as in
// transcript.ts. When several outputs are ready at the same time, their order varies between starts; here they are in
// graph order.
const status = (remaining: number) => `status {status:{exec_info:{queue_remaining:number}}} ${remaining}`;
const executing = (node: string) => `executing {display_node,node,prompt_id} ${node}`;
const states = (...nodes: string[]) => `progress_state {nodes,prompt_id} ${nodes.join(" ")}`;
const executed = (node: string) =>
  `executed {display_node,node,output:{images:[{filename,subfolder,type}]},prompt_id} ${node}`;
const finished = (...nodes: string[]) => nodes.map((node) => `${node}:finished`);

const start = (cached: string) => [
  status(1),
  status(1),
  "execution_start {prompt_id,timestamp:number}",
  `execution_cached {nodes:[],prompt_id,timestamp:number} ${cached}`,
];
const end = [status(0), "executing {node:null,prompt_id} null"];
const success = "execution_success {prompt_id,timestamp:number}";

export const greeting = [
  "status {sid,status:{exec_info:{queue_remaining:number}}} 0",
  "feature_flags {max_upload_size:number,supports_preview_metadata:boolean}",
];

// Loads, inverts, saves, shows on the socket, previews, waits, previews.
export const pictureGraph = (file: string, seconds: number) => ({
  "1": { class_type: "LoadImage", inputs: { image: file } },
  "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "t/pre" } },
  "4": { class_type: "SaveImageWebsocket", inputs: { images: ["2", 0] } },
  "5": { class_type: "PreviewImage", inputs: { images: ["2", 0] } },
  "6": { class_type: "TestSleep", inputs: { value: ["2", 0], seconds } },
  "7": { class_type: "PreviewImage", inputs: { images: ["6", 0] } },
});

export const pictureRun = [
  ...start(""),
  states("1:running"),
  executing("1"),
  states(...finished("1")),
  states(...finished("1"), "2:running"),
  executing("2"),
  states(...finished("1", "2")),
  states(...finished("1", "2"), "3:running"),
  executing("3"),
  executed("3"),
  states(...finished("1", "2", "3")),
  states(...finished("1", "2", "3"), "4:running"),
  executing("4"),
  "preview 4 {display_node_id,image_type,node_id,parent_node_id:null,prompt_id,real_node_id} 4 image/png",
  "progress {max:number,node,prompt_id,value:number} 4",
  states(...finished("1", "2", "3", "4")),
  states(...finished("1", "2", "3", "4"), "5:running"),
  executing("5"),
  executed("5"),
  states(...finished("1", "2", "3", "4", "5")),
  states(...finished("1", "2", "3", "4", "5"), "6:running"),
  executing("6"),
  "progress {max:number,node,prompt_id,value:number} 6",
  states(...finished("1", "2", "3", "4", "5", "6")),
  states(...finished("1", "2", "3", "4", "5", "6"), "7:running"),
  executing("7"),
  executed("7"),
  states(...finished("1", "2", "3", "4", "5", "6", "7")),
  success,
  ...end,
];

// The first three nodes of the same graph again.
export const cachedRun = [...start("1,2,3"), executed("3"), states("3:finished"), success, ...end];

export const failingGraph = {
  "1": { class_type: "TestSyncError", inputs: { value: ["2", 0] } },
  "2": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  "3": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "c" } },
};

const errorMembers =
  "{current_inputs:{value:[]},current_outputs:[],exception_message,exception_type,executed:[],node_id,node_type,prompt_id,timestamp:number,traceback:[]}";

export const failingRun = [
  ...start(""),
  states("2:running"),
  executing("2"),
  states("2:finished"),
  states("1:running", "2:finished"),
  executing("1"),
  `execution_error ${errorMembers} 1 RuntimeError`,
  ...end,
];

// Interrupted while the second node waits.
export const interruptedRun = [
  ...start(""),
  states("1:running"),
  executing("1"),
  states("1:finished"),
  states("1:finished", "2:running"),
  executing("2"),
  "progress {max:number,node,prompt_id,value:number} 2",
  "execution_interrupted {executed:[],node_id,node_type,prompt_id,timestamp:number} 2",
  ...end,
];

export const nodeMembers =
  "{display_node_id,max:number,node_id,parent_node_id:null,prompt_id,real_node_id,state,value:number}";

export const historyMembers = {
  success: ["execution_start", "execution_cached", "execution_success"],
  error: ["execution_start", "execution_cached", "execution_error"],
  interrupted: ["execution_start", "execution_cached", "execution_interrupted"],
  entry: ["meta", "outputs", "prompt", "status"],
  meta: "{display_node,node_id,parent_node:null,real_node_id}",
};

const empty = { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } };
const save = (images: unknown) => ({ class_type: "SaveImage", inputs: { images, filename_prefix: "e" } });

// Request → status, error type, and for each node its class, the types of its problems and the outputs they break.
export const refusals: readonly {
  readonly name: string;
  readonly body: object;
  readonly status: number;
  readonly type: string | null;
  readonly details?: string;
  readonly nodes: Readonly<
    Record<string, readonly [classType: string, types: readonly string[], spoils: readonly string[]]>
  >;
}[] = [
  { name: "no prompt", body: {}, status: 400, type: "no_prompt", details: "No prompt provided", nodes: {} },
  { name: "an empty graph", body: { prompt: {} }, status: 400, type: "prompt_no_outputs", details: "", nodes: {} },
  {
    name: "a node without class_type",
    body: { prompt: { "1": { inputs: {} } } },
    status: 400,
    type: "invalid_prompt",
    details: "Node ID '#1'",
    nodes: {},
  },
  {
    name: "a class that does not exist",
    body: { prompt: { "1": { class_type: "Nope", inputs: {} } } },
    status: 400,
    type: "invalid_prompt",
    details: "Node ID '#1'",
    nodes: {},
  },
  {
    name: "no output node",
    body: { prompt: { "1": empty } },
    status: 400,
    type: "prompt_no_outputs",
    details: "",
    nodes: {},
  },
  {
    name: "a missing and a small value",
    body: {
      prompt: {
        "1": { class_type: "EmptyImage", inputs: { width: 8, height: 0, batch_size: 1 } },
        "2": save(["1", 0]),
      },
    },
    status: 400,
    type: "prompt_outputs_failed_validation",
    details: "",
    nodes: { "1": ["EmptyImage", ["required_input_missing", "value_smaller_than_min"], ["2"]] },
  },
  {
    name: "a file that is not there",
    body: { prompt: { "1": { class_type: "LoadImage", inputs: { image: "nope.png" } }, "2": save(["1", 0]) } },
    status: 400,
    type: "prompt_outputs_failed_validation",
    details: "",
    nodes: { "1": ["LoadImage", ["custom_validation_failed"], ["2"]] },
  },
  {
    name: "one output of two linked to nowhere",
    body: { prompt: { "1": empty, "2": save(["1", 0]), "3": save(["9", 0]) } },
    status: 200,
    type: null,
    nodes: { "3": ["SaveImage", ["exception_during_validation"], ["3"]] },
  },
  {
    name: "a link to an output that does not exist",
    body: { prompt: { "1": empty, "2": save(["1", 7]) } },
    status: 400,
    type: "prompt_outputs_failed_validation",
    details: "Exception when validating node: tuple index out of range",
    nodes: { "2": ["SaveImage", ["exception_during_validation"], ["2"]] },
  },
  {
    name: "one output of two with a value that is not on the list",
    body: {
      prompt: {
        "1": empty,
        "2": save(["1", 0]),
        "3": {
          class_type: "ImageScale",
          inputs: { image: ["1", 0], upscale_method: "zzz", width: 8, height: 8, crop: "disabled" },
        },
        "4": save(["3", 0]),
      },
    },
    status: 200,
    type: null,
    nodes: { "3": ["ImageScale", ["value_not_in_list"], ["4"]] },
  },
];

const file = (filename: string, subfolder = "") => ({ filename, subfolder, type: "output" });
const pictures = (count: number) => ({
  class_type: "EmptyImage",
  inputs: { width: 64, height: 64, batch_size: count, color: 77 },
});

// The key under which output node 3 shows each kind of result. Moving pictures are under `images` too, with a flag beside
// them.
export const outputKinds: readonly { readonly name: string; readonly graph: object; readonly shown: object }[] = [
  {
    name: "a batch, with a subfolder and a size in the prefix",
    graph: {
      "1": pictures(3),
      "3": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "b/%width%" } },
    },
    shown: { images: [file("64_00001_.png", "b"), file("64_00002_.png", "b"), file("64_00003_.png", "b")] },
  },
  {
    name: "an animation",
    graph: {
      "1": pictures(2),
      "3": {
        class_type: "SaveAnimatedWEBP",
        inputs: { images: ["1", 0], filename_prefix: "a", fps: 6, lossless: false, quality: 80, method: "fastest" },
      },
    },
    shown: { images: [file("a_00001_.webp")], animated: [true] },
  },
  {
    name: "a sound",
    graph: {
      "1": { class_type: "EmptyAudio", inputs: { duration: 0.1, sample_rate: 44100, channels: 2 } },
      "3": { class_type: "SaveAudio", inputs: { audio: ["1", 0], filename_prefix: "audio/x" } },
    },
    shown: { audio: [file("x_00001_.flac", "audio")] },
  },
  {
    name: "a latent",
    graph: {
      "1": { class_type: "EmptyLatentImage", inputs: { width: 64, height: 64, batch_size: 1 } },
      "3": { class_type: "SaveLatent", inputs: { samples: ["1", 0], filename_prefix: "latents/x" } },
    },
    shown: { latents: [file("x_00001_.latent", "latents")] },
  },
  {
    name: "a text, which is no file",
    graph: {
      "1": { class_type: "StringConcatenate", inputs: { string_a: "hel", string_b: "lo", delimiter: "" } },
      "3": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
    },
    shown: { text: ["hello"] },
  },
];
