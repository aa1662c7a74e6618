import { expect, test } from "vitest";
import { Metrics } from "../../../../server/host/observability/metrics.ts";

test.each([
  [199, 199, 0],
  [200, 200, 0],
  [201, 200, 1],
])("of %i projects, %i have a label of their own, and %i are others", async (projects, own, others) => {
  const metrics = new Metrics({ version: "test", schemaVersion: "test" });
  for (let id = 1; id <= projects; id++) metrics.projectCall(id, "");
  metrics.projectCall(1, "RateLimited");
  const text = await metrics.text();
  expect(text.match(/^platform_project_calls_total[{]project="[0-9]+",error=""[}] 1$/gm)?.length).toBe(own);
  expect(text.match(/^platform_project_calls_total[{]project="other".*$/gm)?.length ?? 0).toBe(others);
  expect(text).toContain('platform_project_calls_total{project="1",error="RateLimited"} 1');
});
