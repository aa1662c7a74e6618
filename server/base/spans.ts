/** Values of OpenTelemetry's semantic conventions, such as `db.system.name`. */
type SpanAttributes = Readonly<Record<string, string | number>>;

export interface WorkSpan {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** Whether it starts a trace of its own outside of calls, as a webhook's delivery does. Statements of background work do not. */
  readonly startsTrace?: boolean;
}

type RunInSpan = <Result>(span: WorkSpan, work: () => Promise<Result>) => Promise<Result>;

let run: RunInSpan | undefined;

/** Switches spans on or off, for the whole process, as OpenTelemetry's own API does: a process has one host. */
export function setSpans(runInSpan: RunInSpan | undefined): void {
  run = runInSpan;
}

/** Runs a request to a database, a node or a receiver in a span of its own, if the host traces calls. Otherwise `span` is not called. */
export function inSpan<Result>(span: () => WorkSpan, work: () => Promise<Result>): Promise<Result> {
  return run === undefined ? work() : run(span(), work);
}
