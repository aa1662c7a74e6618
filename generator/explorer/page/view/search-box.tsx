/** A search over the contract, which `/` and Ctrl+K focus. Arrow keys move through the results, and Enter opens one. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HostInfo } from "../call/host-info.ts";
import type { Schema } from "../schema/ir.ts";
import { type Found, indexOf, search } from "../schema/search.ts";
import { links } from "../state/route.ts";

interface SearchBoxProps {
  readonly schema: Schema;
  readonly hostInfo: HostInfo;
  /** Shown while nothing is searched for. */
  readonly children: ComponentChildren;
}

export function SearchBox({ schema, hostInfo, children }: SearchBoxProps) {
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const index = useMemo(() => indexOf(schema, hostInfo.services), [schema, hostInfo]);
  const found = useMemo(() => search(index, wanted), [index, wanted]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
      const isSlash = event.key === "/" && !isTyping;
      const isCtrlK = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isCtrlK) return;
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  useEffect(() => {
    document.getElementById(`found-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const find = (text: string): void => {
    setWanted(text);
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[at];
    if (by !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((at + by + found.length) % found.length);
    } else if (event.key === "Enter" && chosen !== undefined) location.hash = linkTo(chosen);
    else if (event.key === "Escape") find("");
  };
  const isSearching = wanted.trim() !== "";
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search methods, types, fields and errors"
        aria-expanded={isSearching}
        aria-controls="found"
        aria-activedescendant={found[at] === undefined ? undefined : `found-${at}`}
        placeholder="Search  /"
        autocomplete="off"
        spellcheck={false}
        ref={input}
        value={wanted}
        onInput={({ currentTarget }) => find(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isSearching ? <Results found={found} at={at} /> : children}
    </>
  );
}

function Results({ found, at }: { readonly found: readonly Found[]; readonly at: number }) {
  return (
    <>
      <p class="unseen" role="status">
        {found.length} results
      </p>
      {found.length === 0 && <p class="empty">Nothing matches.</p>}
      <div id="found" role="listbox" aria-label="Results">
        {found.map((one, index) => (
          <a
            key={`${one.kind}/${one.owner}/${one.name}`}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            href={linkTo(one)}
          >
            <span class="name">
              {one.kind === "field" && <span class="owner">{one.owner}.</span>}
              {one.name}
            </span>
            <span class="kind">{one.kind === "method" ? one.owner : one.kind}</span>
            {one.summary !== "" && <span class="summary">{one.summary.replaceAll("`", "")}</span>}
          </a>
        ))}
      </div>
    </>
  );
}

function linkTo({ kind, owner, name }: Found): string {
  if (kind === "method") return links.method(owner, name);
  if (kind === "error") return links.error(name);
  return links.type(kind === "field" ? owner : name);
}
