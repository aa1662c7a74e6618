/** Records the query plans of a piece of code, with the rows that were really read. */
import type { Database, Queries } from "../../../../server/base/storage/database.ts";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface QueryPlan {
  /** Tables that were scanned completely. */
  readonly scanned: readonly string[];
  /** Rows that were found by index. */
  readonly rowsRead: number;
  /** Those of them that an index does not contain completely. */
  readonly rowsFetched: number;
  /** Pairs of rows that joins compared in vain. */
  readonly pairs: number;
}

/** Runs each statement twice and records the plan of the first run. `isGeneric` forces the generic plan of prepared statements. */
export function explained(
  database: Database,
  isGeneric: boolean,
): { readonly queries: Queries; readonly plans: QueryPlan[] } {
  const plans: QueryPlan[] = [];
  return {
    plans,
    queries: {
      async query<Row extends object>(
        statement: Parameters<Queries["query"]>[0],
        values: readonly unknown[] = [],
      ) {
        const text = typeof statement === "string" ? statement : statement.text;
        const plan = await database.transaction(async (queries) => {
          const mode = isGeneric ? "force_generic_plan" : "force_custom_plan";
          await queries.query(`set local plan_cache_mode = ${mode}`);
          await queries.query(`prepare explained as ${text}`);
          const [row] = await queries.query<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(
            `explain (analyze, format json) execute explained(${values.map(literal).join(", ")})`,
          );
          await queries.query("deallocate explained");
          const [found] = row?.["QUERY PLAN"] ?? [];
          if (found === undefined) throw new Error("no plan");
          return read(found.Plan);
        });
        plans.push(plan);
        return database.query<Row>(text, values);
      },
    },
  };
}

function read(node: PlanNode): QueryPlan {
  const children = (node.Plans ?? []).map(read);
  const relation = node["Relation Name"];
  const loops = node["Actual Loops"];
  const rows = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * loops;
  const isScanned = node["Node Type"] === "Seq Scan" && relation !== undefined && loops > 0;
  const ownRows = relation === undefined || isScanned ? 0 : rows;
  const isInIndex = node["Node Type"] === "Index Only Scan";
  return {
    scanned: [...(isScanned ? [relation] : []), ...children.flatMap(({ scanned }) => scanned)],
    rowsRead: ownRows + children.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    rowsFetched: (isInIndex ? 0 : ownRows) + children.reduce((sum, { rowsFetched }) => sum + rowsFetched, 0),
    pairs:
      (node["Rows Removed by Join Filter"] ?? 0) * loops +
      children.reduce((sum, { pairs }) => sum + pairs, 0),
  };
}

function literal(value: unknown): string {
  if (value === null) return "null";
  const text = Array.isArray(value)
    ? `{${value.map((item) => (item === null ? "null" : `"${String(item)}"`)).join(",")}}`
    : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}
