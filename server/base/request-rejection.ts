/**
 * A valid request that cannot be served as it is. The message begins with the JSON Pointer of a field, like those of validators, and is sent to
 * the caller.
 */
export class RequestRejection extends Error {
  override readonly name: string = "RequestRejection";
}

/** This host does not serve the request, or not yet. The message is sent to the caller. */
export class NotServed extends Error {
  override readonly name = "NotServed";
}
