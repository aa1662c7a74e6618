import { clearLine } from "../terminal-line.ts";

/** Shows the current step on one terminal line, which is overwritten. Prints nothing if the stream is not a terminal. */
export interface Progress extends Disposable {
  showStep(step: string): void;
}

export function showProgress(stream: NodeJS.WriteStream): Progress {
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(`${clearLine}${text}`);
  };
  return {
    showStep: (step) => write(`platform: ${step} …`),
    [Symbol.dispose]: () => write(""),
  };
}
