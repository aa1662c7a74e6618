/** What is under way, on one line of a terminal that is overwritten; nothing where nobody looks. */
export interface Progress extends Disposable {
  showStep(step: string): void;
}

export function showProgress(stream: NodeJS.WriteStream): Progress {
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\x1b[K${text}`);
  };
  return {
    showStep: (step) => write(`platform: ${step} …`),
    [Symbol.dispose]: () => write(""),
  };
}
