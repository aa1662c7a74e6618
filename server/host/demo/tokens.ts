/** Metadata of the demo's tokens, stored on the chain as `data:` URLs. */

export interface DemoToken {
  readonly id: bigint;
  readonly uri: string;
}

const colours = [
  { name: "Amber", code: "f2a33a" },
  { name: "Jade", code: "2fae7b" },
  { name: "Indigo", code: "4356c9" },
  { name: "Rose", code: "d9577d" },
] as const;

const makers = ["Ada", "Bao", "Cleo"] as const;

/** One token for each colour and maker, numbered from 1. */
export const demoTokens: readonly DemoToken[] = makers.flatMap((maker, row) =>
  colours.map((colour, column) => {
    const number = row * colours.length + column + 1;
    return { id: BigInt(number), uri: uriOf(describe(number, maker, colour)) };
  }),
);

function describe(number: number, maker: string, { name, code }: (typeof colours)[number]): object {
  const size = 10 + number * 2;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#10131f"/><circle cx="32" cy="32" r="${size / 2 + 8}" fill="#${code}"/></svg>`;
  return {
    name: `${name} lantern #${number}`,
    description: `A lantern for the harbour of the local chain, made by ${maker}.`,
    image: `data:image/svg+xml;base64,${base64(svg)}`,
    background_color: "10131f",
    attributes: [
      { trait_type: "Colour", value: name },
      { trait_type: "Maker", value: maker },
      { trait_type: "Height", value: size },
    ],
  };
}

function uriOf(document: object): string {
  return `data:application/json;base64,${base64(JSON.stringify(document))}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
