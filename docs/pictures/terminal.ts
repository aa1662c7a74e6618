/** A terminal's output as an SVG image: text stays text, so the picture is sharp and a change of it can be reviewed. */

interface Span {
  readonly text: string;
  readonly color: string | undefined;
  readonly isBold: boolean;
}

/** By the SGR code that selects a foreground color. */
const colors: Readonly<Record<number, string>> = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#8b949e",
};

/** A longer line ends with an ellipsis. */
const maxColumns = 110;

const charWidth = 8.43;
const lineHeight = 20;
const padding = 20;
const barHeight = 36;

/** `lines`: with ANSI color codes. `title`: the command, shown in the window's bar. */
export function terminalSvg(title: string, lines: readonly string[]): string {
  const rows = lines.map((line) => shortened(spansOf(line)));
  const lengths = rows.map((spans) => spans.reduce((sum, { text }) => sum + text.length, 0));
  const columns = Math.max(60, title.length + 16, ...lengths);
  const width = Math.ceil(columns * charWidth + 2 * padding);
  const height = barHeight + rows.length * lineHeight + padding + 8;
  const texts = rows.map((spans, index) => {
    const y = barHeight + padding + 4 + index * lineHeight;
    return `<text x="${padding}" y="${y}" xml:space="preserve">${spans.map(tspan).join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3 }</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<path d="M0 ${barHeight}h${width}V8a8 8 0 0 0-8-8H8a8 8 0 0 0-8 8z" fill="#161b22"/>
<g fill="#30363d"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/><circle cx="60" cy="18" r="6"/></g>
<text x="84" y="23" style="fill:#8b949e">${escapeXml(title)}</text>
${texts.join("\n")}
</svg>
`;
}

function spansOf(line: string): readonly Span[] {
  const spans: Span[] = [];
  let color: string | undefined;
  let isBold = false;
  for (const [, codes, text = ""] of line.matchAll(/(?:\x1b\[([\d;]*)m)?([^\x1b]*)/g)) {
    for (const code of codes === undefined ? [] : codes.split(";").map(Number)) {
      if (code === 0 || code === 39) color = undefined;
      if (code === 0) isBold = false;
      else if (code === 1 || code === 22) isBold = code === 1;
      else color = colors[code] ?? colors[code - 60] ?? color;
    }
    if (text !== "") spans.push({ text, color, isBold });
  }
  return spans;
}

function shortened(spans: readonly Span[]): readonly Span[] {
  let left = maxColumns;
  return spans.flatMap((span) => {
    const text = span.text.length <= left ? span.text : `${span.text.slice(0, Math.max(0, left - 1))}…`;
    const isShown = left > 0;
    left -= span.text.length;
    return isShown ? [{ ...span, text }] : [];
  });
}

function tspan({ text, color, isBold }: Span): string {
  const style = [color && `fill:${color}`, isBold && "font-weight:600"].filter(Boolean).join(";");
  return style === "" ? escapeXml(text) : `<tspan style="${style}">${escapeXml(text)}</tspan>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
