/** What tools return. Compatible with `CallToolResult` of the SDK. */

export type McpContent =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } }
  | { type: "resource"; resource: { uri: string; mimeType: string; blob: string } };

/** Not an interface, so that it fits the index signature of the SDK's type. */
export type McpResult = {
  content: McpContent[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
};

export function textResult(text: string): McpResult {
  return { content: [{ type: "text", text }] };
}
