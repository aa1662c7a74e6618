import type { FloatDescriptor } from "./descriptor.ts";

export type FloatType = "float32" | "float64";

export const floats: Readonly<Record<FloatType, FloatDescriptor>> = {
  float32: float(3.4028234663852886e38, "f32"),
  float64: float(Number.POSITIVE_INFINITY, "number", "double", "f64", "float"),
};

function float(max: number, ...foreignNames: readonly string[]): FloatDescriptor {
  return {
    kind: "float",
    shape: "number",
    foreignNames,
    description: "a number",
    json: "number",
    typescript: "number",
    recorded: "number",
    widensTo: {},
    invalid: [],
    isDefault: (text) =>
      /^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$/.test(text) &&
      Number.isFinite(Number(text)) &&
      Math.abs(Number(text)) <= max,
    max,
  };
}
