import assert from "node:assert/strict";
import { test } from "node:test";
import { metadataIn, wrongLabels } from "./labels.ts";

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
