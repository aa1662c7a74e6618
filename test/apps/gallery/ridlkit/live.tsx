import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { streamOptions } from "ridlkit-runtime/tanstack-query";
import { Comments } from "../shared/views.tsx";
import { type StreamState, watchComments } from "./api/client.ts";
import { client } from "./client.ts";

const text = { idle: "", connecting: "connecting", open: "live", waiting: "reconnecting", closed: "stopped" };

export function Live() {
  const [{ kind }, setState] = useState<StreamState>({ kind: "idle" });
  const { data = [] } = useQuery(
    streamOptions(
      watchComments,
      client,
      { after: 0 },
      { resume: (req, last) => ({ after: last?.comment.id ?? req.after }), onState: setState },
    ),
  );
  return <Comments comments={data.map(({ comment }) => comment)} status={text[kind]} />;
}
