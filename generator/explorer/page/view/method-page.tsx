/** A method: its description, and a form that calls it. */
import { MethodCall, type MethodCallProps } from "./method-call.tsx";
import { MethodHeader } from "./method-header.tsx";

export function MethodPage(props: MethodCallProps) {
  const { loaded, found } = props;
  const header = <MethodHeader loaded={loaded} found={found} />;
  if (found.method.streamInput === true)
    return (
      <article>
        {header}
        <p class="advice">
          This method streams its request. Generated servers and clients do not support that.
        </p>
      </article>
    );
  return (
    <article class="method">
      {header}
      <MethodCall {...props} />
    </article>
  );
}
