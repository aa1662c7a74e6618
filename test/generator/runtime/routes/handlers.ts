import type { Handlers } from "../../../fixtures/routes/generated/server.ts";

const item = (id: number, name = `item ${id}`, tags: string[] = []) => ({ id, name, tags });

/** Each returns the request that it received, or the name of its method. */
export const routedHandlers: Handlers = {
  Items: {
    GetItem: (_ctx, { id }) => ({ item: item(id) }),
    ListItems: (_ctx, request) => ({ request }),
    CreateItem: (_ctx, { name, tags }) => ({ item: item(0, name, tags) }),
    UpdateItem: (_ctx, { id, name, tags }) => item(id, name, tags),
    PatchItem: (ctx, { id, name }) =>
      id === 404 ? ctx.errors.NotFound() : { item: item(id, name ?? "unchanged") },
    DeleteItem: () => {},
    QueryItems: (_ctx, { text, limit }) => ({ found: [text, String(limit)] }),
    EchoParams: (_ctx, params) => params,
    EchoPath: (_ctx, params) => params,
    GetChild: (_ctx, { id, childId }) => ({ id, childId }),
    FirstChild: (_ctx, { id }) => ({ id }),
    ResetItems: () => {},
    CheckSecret: (_ctx, { code }) => item(code),
    RpcMethod: (_ctx, { id }) => ({ id }),
  },
  Teams: {
    ListTeams: (_ctx, request) => request,
    RenameTeam: (_ctx, request) => request,
    FindTeam: (_ctx, request) => request,
  },
};
