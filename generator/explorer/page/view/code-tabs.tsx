/** The call of a form as a command and as code. */
import { type ClientCall, clientCode, queryCode } from "../call/client-code.ts";
import { curlOf } from "../call/curl-code.ts";
import { fetchCode } from "../call/fetch-code.ts";
import type { Schema, ServiceMethod } from "../schema/ir.ts";
import { Code, type Tab, Tabs } from "./parts.tsx";

interface CodeTabsProps {
  readonly schema: Schema;
  readonly found: ServiceMethod;
  readonly call: ClientCall;
}

export function CodeTabs({ schema, found, call }: CodeTabsProps) {
  const { request, keys } = call;
  const fetched = found.method.streamOutput === true ? undefined : fetchCode(request, keys);
  const tabs: readonly Tab[] = [
    { name: "curl", title: "curl", content: <Code isPlain label="curl" text={curlOf(request, keys)} /> },
    {
      name: "client",
      title: "TypeScript",
      content: <Code label="client code" text={clientCode(schema, found, call)} />,
    },
    {
      name: "query",
      title: "TanStack Query",
      content: <Code label="code for TanStack Query" text={queryCode(schema, found, call)} />,
    },
    ...(fetched === undefined
      ? []
      : [{ name: "fetch", title: "fetch", content: <Code label="code with fetch" text={fetched} /> }]),
  ];
  return <Tabs id="code" label="This call as code" tabs={tabs} />;
}
