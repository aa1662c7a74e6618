import { generatedScripts, type Stack, typescript } from "./shared.ts";

/** A client without a server. `npm run mock` serves the API during development. */
export const vite: Stack = {
  title: "Vite and React, client only",
  recognizedBy: ["vite"],
  importExtension: "none",
  isModule: true,
  scripts: {
    dev: "ridlkit generate && vite",
    mock: "ridlkit mock",
    generate: "ridlkit generate",
    "check:generated": generatedScripts["check:generated"] ?? "",
    build: "ridlkit generate && tsc && vite build",
  },
  dependencies: { react: "^19.2.0", "react-dom": "^19.2.0" },
  devDependencies: {
    "@types/react": "^19.2.0",
    "@types/react-dom": "^19.2.0",
    "@vitejs/plugin-react": "^5.0.0",
    vite: "^7.0.0",
    ...typescript,
  },
  // The options of Vite's template react-ts.
  compiler: {
    compilerOptions: {
      target: "ES2022",
      useDefineForClassFields: true,
      lib: ["ES2022", "DOM", "DOM.Iterable"],
      module: "ESNext",
      types: ["vite/client"],
      skipLibCheck: true,
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      moduleDetection: "force",
      noEmit: true,
      jsx: "react-jsx",
      strict: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
      noFallthroughCasesInSwitch: true,
      noUncheckedSideEffectImports: true,
    },
    include: ["src", "generated"],
  },
  ignored: ["node_modules/", "dist/"],
  files: {
    "index.html": `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>hello</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.tsx"></script>
  </body>
</html>
`,
    "vite.config.ts": `import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // Forwards calls to the server that \`npm run mock\` starts.
  server: { proxy: { "/rpc": "http://127.0.0.1:4010" } },
});
`,
    "src/main.tsx": `import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { greet } from "../generated/client";

function Greeting() {
  const [greeting, setGreeting] = useState("");
  const onClick = async () => {
    setGreeting((await greet({ url: location.origin }, { name: "Ann" })).greeting);
  };
  return <button onClick={onClick}>{greeting || "Greet"}</button>;
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <Greeting />
    </StrictMode>,
  );
`,
  },
};
