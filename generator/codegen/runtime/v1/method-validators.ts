/** The validators of a method, loaded with the first call that needs them. */
import type {
  Check,
  RequestValidators,
  ResponseValidator,
  ResponseValidators,
  ServiceValidators,
} from "./validators.ts";

/** Loads the validators of a service, once for all that ask. */
export type LoadValidators = () => Promise<{
  readonly requests: RequestValidators;
  readonly responses: ResponseValidators;
}>;

/** Of answers only what is used: they are checked where the host asks for it, and written where JSON.stringify alone does it wrong. */
export function validatorLoader(
  { requests, responses, isWriting }: ServiceValidators,
  checksResponses: boolean,
): LoadValidators {
  let loading: ReturnType<LoadValidators> | undefined;
  const load: LoadValidators = async () => {
    const [read, written] = await Promise.all([
      requests(),
      checksResponses || isWriting === true ? responses() : undefined,
    ]);
    return { requests: read.requests, responses: written?.responses ?? {} };
  };
  return () => {
    loading ??= load().catch((thrown: unknown) => {
      // The calls that wait for it fail; the next one tries again.
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
}

/** The functions of one method, all of them undefined before they are loaded. */
export class MethodValidators {
  isLoaded: boolean;
  readRequest: Check | undefined;
  checkResponse: Check | undefined;
  writeResponse: ResponseValidator["write"];
  readonly #path: string;
  readonly #load: LoadValidators | undefined;

  /** Without a loader nothing is checked. */
  constructor(path: string, load: LoadValidators | undefined) {
    this.#path = path;
    this.#load = load;
    this.isLoaded = load === undefined;
  }

  async load(): Promise<void> {
    const loaded = await this.#load?.();
    this.readRequest = loaded?.requests[this.#path];
    this.checkResponse = loaded?.responses[this.#path]?.check;
    this.writeResponse = loaded?.responses[this.#path]?.write;
    this.isLoaded = true;
  }
}
