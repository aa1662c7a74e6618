import { useEffect, useState } from "react";
import { Comments } from "../shared/views.tsx";
import { type Comment, getWatchCommentsUrl } from "./api/client.ts";

export function Live() {
  const [comments, setComments] = useState<readonly Comment[]>([]);
  const [status, setStatus] = useState("connecting");
  useEffect(() => {
    const source = new EventSource(getWatchCommentsUrl());
    source.onopen = () => setStatus("live");
    source.onerror = () => setStatus(source.readyState === EventSource.CLOSED ? "stopped" : "reconnecting");
    source.onmessage = ({ data }) => setComments((comments) => [...comments, JSON.parse(data) as Comment]);
    return () => source.close();
  }, []);
  return <Comments comments={comments} status={status} />;
}
