import { expect, test } from "vitest";
import { seededRandom } from "../../../../generator/verify/samples/random.ts";
import { Samples } from "../../../../generator/verify/samples/values.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

enum Kind: string
  - cat
  - dog

enum Size: uint8
  - small
  - large

enum Empty: uint8

type Code: string
  + pattern = "^[A-Z]{2}-[0-9]{2,}(x|y)?[^a-c]+.$"

type Short: string
  + minLength = 2
  + maxLength = 3

struct Ask
  - email: string
  - name: string
  - emails: []string
  - code: Code
  - codes: []Code
    + minItems = 1
    + maxItems = 2
  - short: Short
  - lower: string
    + normalize = lowercase
  - uri: string
    + format = uri
  - example: string
    + example = first
    + example = second
  - count: uint8
    + minimum = 3
    + maximum = 9
  - age: uint32
  - price: float64
  - priceAmount: bigint
  - big: bigint
  - ratio: float32
    + minimum = 0.25
    + maximum = 0.5
  - wide: int64
  - flag: bool
    + accepts = string
  - number: int32
    + accepts = string
  - kind: Kind
  - size: Size
  - empty: Empty
  - bytes: []byte
    + maxItems = 4
  - byKind: map<Kind,uint8>
  - byNumber: map<uint8,string>
  - byText: map<string,bool>
    + minItems = 1
  - byEmpty: map<Empty,bool>
  - at: timestamp
  - expiresAt: timestamp
  - anything: any
  - nothing: null
  - maybe?: string
  - preset: uint8
    + default = 7
  - nullable?: string
    + nullable = always
  - read?: string
    + nullable = read
  - aliased: string
    + alias = other
  - twin: string
    + twin = copy
  - next?: Ask

service S
  - Do(Ask) => (Ask)
`;

test("samples of every type, in each style", async () => {
  const plan = planOf({ "m.ridl": schema }, "m.ridl");
  const lines: string[] = [];
  for (const side of ["request", "response"] as const)
    for (const style of ["plain", "edges"] as const)
      for (const optional of ["all", "some", "none"] as const) {
        const random = seededRandom(7);
        const samples = new Samples(plan, { side, style, optional, random });
        lines.push(`## ${side}, ${style}, ${optional}`);
        for (let count = 0; count < (style === "edges" ? 3 : 2); count++)
          for (const [key, value] of Object.entries(samples.body("Ask"))) {
            const text = JSON.stringify(value);
            lines.push(`${key}: ${text.length > 200 ? `${text.slice(0, 200)}… ${text.length}` : text}`);
          }
      }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/samples.txt");
});
