import { useSubscription } from "@trpc/tanstack-react-query";
import { useState } from "react";
import type { Comment } from "../shared/gallery.ts";
import { Comments } from "../shared/views.tsx";
import { trpc } from "./client.ts";

const statuses = { idle: "", connecting: "connecting", pending: "live", error: "stopped" };

export function Live() {
  const [comments, setComments] = useState<readonly Comment[]>([]);
  const { status, error } = useSubscription(
    trpc.watchComments.subscriptionOptions(
      {},
      { onData: ({ data }) => setComments((comments) => [...comments, data]) },
    ),
  );
  return (
    <Comments
      comments={comments}
      status={status === "connecting" && error ? "reconnecting" : statuses[status]}
    />
  );
}
