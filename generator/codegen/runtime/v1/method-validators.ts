/** Loads the validators of a method on its first call. */
import type {
  Check,
  RequestValidators,
  ResponseValidator,
  ResponseValidators,
  ServiceValidators,
} from "./validators.ts";

/** Loads the validators of a service. All methods share one load. */
export type LoadValidators = () => Promise<{
  readonly requests: RequestValidators;
  readonly responses: ResponseValidators;
}>;

/**
 * Loads response validators only if needed: to check responses, or to write values that JSON.stringify would write
 * wrong.
 */
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
      // Pending calls fail; the next call tries again.
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
}

/** The validators of one method. All functions are undefined until they are loaded. */
export class MethodValidators {
  isLoaded: boolean;
  readRequest: Check | undefined;
  checkResponse: Check | undefined;
  writeResponse: ResponseValidator["write"];
  readonly #path: string;
  readonly #load: LoadValidators | undefined;

  /** Without a loader, nothing is checked. */
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
