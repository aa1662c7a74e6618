import type { PlannedMethod } from "../../codegen/plan/plan.ts";
import type { Send, TestCall, TestResponse } from "./call.ts";
import { isRefusal } from "./coverage.ts";

/** Notices when a call, such as a log-out, makes the server refuse the credential of the test. */
export class Session {
  readonly #send: Send;
  /** An accepted call. Repeating it shows whether the credential is still accepted. */
  #probe: { readonly call: TestCall; readonly isReadOnly: boolean } | undefined;
  /** The last method that succeeded and may have changed something, since the probe was accepted. */
  #suspect: string | undefined;
  #endedBy: string | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  /** `Auth.Logout`: the method after which the credential was refused. */
  get endedBy(): string | undefined {
    return this.#endedBy;
  }

  async note(
    name: string,
    { annotations }: PlannedMethod,
    call: TestCall,
    { status }: TestResponse,
  ): Promise<void> {
    if (call.withoutCredentials === true || this.#endedBy !== undefined) return;
    const isReadOnly = annotations.has("readonly");
    if (status === 200 && !isReadOnly) this.#suspect = name;
    if (annotations.has("public")) return;
    if (status === 200 && (this.#probe === undefined || (isReadOnly && !this.#probe.isReadOnly)))
      this.#probe = { call, isReadOnly };
    if (!isRefusal(status) || this.#probe === undefined || this.#suspect === undefined) return;
    const again = await this.#send(this.#probe.call);
    if (isRefusal(again.status)) this.#endedBy = this.#suspect;
    this.#suspect = undefined;
  }
}
