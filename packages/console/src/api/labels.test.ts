import assert from "node:assert/strict";
import { test } from "node:test";
import { labelledAs, metadataIn, wrongIn } from "./labels.ts";

const wrongLabels = (text: string) => wrongIn(metadataIn(text));

test("labels that the server would refuse are reported at the field, before they are sent", () => {
  for (const fine of ["", "a name, with a comma", "shot=7, campaign=spring sale", "shot=it's again", "a.b_c-1="])
    assert.equal(wrongLabels(fine), null, fine);
  assert.match(wrongLabels("it's=again") ?? "", /“it's” is not a valid label key/);
  assert.match(wrongLabels(`${"k".repeat(41)}=1`) ?? "", /is not a valid label key/);
  assert.match(wrongLabels(`shot=${"ä".repeat(129)}`) ?? "", /value of shot is longer than 256 bytes/);
  assert.match(wrongLabels("ä".repeat(513)) ?? "", /1,024 bytes/);
  const many = Array.from({ length: 17 }, (_, at) => `k${at}=1`).join(", ");
  assert.match(wrongLabels(many) ?? "", /up to 16/);
  assert.deepEqual(metadataIn("shot=it's again"), { shot: "it's again" });
});

test("a run of a saved workflow carries its id beside the person's own labels", () => {
  assert.deepEqual(labelledAs("w", ""), { workflow: "w" });
  assert.deepEqual(labelledAs("w", "a name"), { name: "a name", workflow: "w" });
  assert.deepEqual(labelledAs("w", "shot=7, workflow=other"), { shot: "7", workflow: "w" });
  assert.match(wrongIn(labelledAs("w", "n".repeat(257))) ?? "", /longer than 256 bytes/);
});
