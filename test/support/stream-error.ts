/** Reads a stream to its error. */
export async function errorOfStream(stream: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of stream);
  } catch (error) {
    return error;
  }
  throw new Error("the stream did not fail");
}
