import { CoderBook, type Coding, decoding, encoding } from "../emit/client/coders.ts";
import { coderText } from "../emit/client/index.ts";
import { definitionText } from "../emit/json-schema/index.ts";
import { recordedStruct } from "../emit/server/recording-view.ts";
import { declarationText } from "../emit/types/index.ts";
import { structFunction, writingFunction } from "../emit/validators/index.ts";
import { writtenTypes } from "../emit/validators/write.ts";
import type { TargetName } from "../plan/targets.ts";
import type { FileNames } from "./before.ts";
import type { FewTypes } from "./few.ts";

/** A text that is printed of a struct, and the files one of which has it, the likeliest first. One that ends with "/" is a folder. */
export interface Piece {
  readonly at: readonly string[];
  readonly text: string;
}

/** All that is printed of a struct. */
export function piecesOf(few: FewTypes, chosen: ReadonlySet<TargetName>, files: FileNames): readonly Piece[] {
  return [
    ...(chosen.has("types") ? [{ at: ["types.ts"], text: declarationText(few.plan.declarations) }] : []),
    ...(chosen.has("client") ? clientPieces(few, files) : []),
    ...(chosen.has("server") ? serverPieces(few, files) : []),
    ...(chosen.has("validators") ? validatorPieces(few, files) : []),
  ];
}

function clientPieces({ plan, struct }: FewTypes, files: FileNames): readonly Piece[] {
  const piece = (coding: Coding): readonly Piece[] => {
    if (!coding.types(plan)(struct.name)) return [];
    return [
      { at: [files[coding.verb]], text: coderText(coding, new CoderBook(coding, plan).coderOf(struct)) },
    ];
  };
  return [...(struct.inResponses ? piece(decoding) : []), ...(struct.inRequests ? piece(encoding) : [])];
}

function serverPieces({ plan, struct }: FewTypes, { recording }: FileNames): readonly Piece[] {
  if (!struct.inRequests && !struct.inResponses) return [];
  return [{ at: [recording], text: `\n    ${recordedStruct(plan, struct).line},\n` }];
}

function validatorPieces({ plan, struct }: FewTypes, { shared }: FileNames): readonly Piece[] {
  const { name, inRequests, inResponses } = struct;
  const requests = "validators/requests/";
  const responses = "validators/responses/";
  const inFile = (folder: string, text: string): Piece => ({
    at: [`${folder}${shared}`, folder],
    text: `${text}\n`,
  });
  return [
    { at: ["json-schema/schema.json"], text: `\n${definitionText(struct, plan)}` },
    ...(inRequests ? [inFile(requests, structFunction(plan, name, "request").text)] : []),
    ...(inResponses ? [inFile(responses, structFunction(plan, name, "response").text)] : []),
    ...(inResponses && writtenTypes(plan)(name) ? [inFile(responses, writingFunction(plan, struct))] : []),
  ];
}
