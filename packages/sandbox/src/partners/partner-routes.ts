// Two partners as the vendors themselves would speak: asynchronous tasks on real pictures, signed callbacks, faults.
//
// PARTNER-A, base {sandbox}/partner-a, key in the header `X-Partner-A-Api-Key`.
//   POST /v1/ai/image-relight                             → 200 {"data":{"task_id","status":"CREATED","generated":[]}}
//   POST /v1/ai/skin-enhancer/{flexible|creative|faithful} → the same
//   GET  /v1/ai/image-relight/{task_id}                   → 200 the same, with the status of now; 404 without a body
//   GET  /v1/ai/skin-enhancer/{task_id}                   → for all three modes
//   CREATED → IN_PROGRESS → COMPLETED | FAILED; `generated` holds addresses (PNG) once COMPLETED.
//   Errors: {"message", "invalid_params":[{"field","reason"}]} with 400, 401, 413, 415, 429, 500, 503.
// PARTNER-B, base {sandbox}/partner-b, key as `Authorization: Bearer`.
//   POST /prompts/text-to-video, /prompts/image-to-video  → 201 the prompt object, "pending"
//   GET  /prompts/{id}                                    → 200 the prompt object, 404 {"error":{"code","message"}}
//   pending → processing → completed | error. `output_url` (animated WebP) and `error` are absent until they apply;
//   `inference_params` are what was sent, digit for digit, and the defaults of what was not.
//   Asked sizes are kept in shape and made smaller: at most 480 pixels on the longer side.
//
// PICTURES: base64, a data: URL, or an http URL on loopback (see `origins` in the options); nothing else is dialled.
//   Results have the size of the original, up to 4 megapixels; larger ones are scaled down into that.
// CALLBACKS: POST to `webhook_url` (http on loopback) on every change after creation. Body: partner-a's task without
//   `data`, partner-b's prompt object. Headers `webhook-id`, `webhook-timestamp` (Unix seconds), `webhook-signature`
//   (`v1,` + base64): HMAC-SHA256 over `{id}.{timestamp}.{raw body}`, the secret as raw UTF-8 bytes, for both partners.
//   A callback keeps its webhook-id over its attempts: four, until a 2xx; redirects are not followed.
// ONE RUN: `X-Request-Reference` counts submissions and runs (GET /v1/references/{reference}, with the task's id) and
//   never joins; `Idempotency-Key` joins: the same key and body give the first task again, another body is 422.
// FAULTS: the header `X-Sandbox-Fault` or the body's member `simulate` (names separated by commas), with
//   `X-Sandbox-Seconds` or `simulate_seconds`; the names are in faults.ts. On a read only the header counts.
//   By hand, with the sandbox's own credential as bearer (see control.ts):
//   POST   /v1/partner-faults {"partner","faults":["stuck"],"seconds"?,"times"?}   for the next calls (default 1 time)
//   DELETE /v1/partner-faults, GET /v1/partner-faults
//   GET    /v1/partner-tasks?reference=…  and  /v1/partner-tasks/{id}              what was seen: sha256, seed, callbacks
//   POST   /v1/partner-tasks/{id} {"to":"running"|"completed"|"failed"}            moves a task that is stuck or held
