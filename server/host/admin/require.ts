import type { Queries } from "../../base/storage/database.ts";
import { AdminFault, readProjectId } from "./command.ts";

export async function requireProject(queries: Queries, projectId: number): Promise<void> {
  const found = await queries.query("select 1 from project where id = $1", [projectId]);
  if (found.length === 0)
    throw new AdminFault(`project ${projectId} does not exist; see: platform projects list`);
}

/** The project to which a list is limited; null for all projects. Throws AdminFault if there is no such project. */
export async function readProjectFilter(queries: Queries, text: string | undefined): Promise<number | null> {
  if (text === undefined) return null;
  const projectId = readProjectId(text);
  await requireProject(queries, projectId);
  return projectId;
}

export function readRecordId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new AdminFault(`invalid id "${text.slice(0, 40)}": expected a number`);
  return Number(text);
}
