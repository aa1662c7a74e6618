import { generatedScripts, memoryTest, type Stack, typescript } from "./shared.ts";

export const next: Stack = {
  title: "Next.js",
  recognizedBy: ["next"],
  adapter: "fetch",
  importExtension: "none",
  isModule: false,
  scripts: {
    dev: "ridlkit generate && next dev",
    ...generatedScripts,
    build: "ridlkit generate && next build",
    start: "next start",
    test: "ridlkit generate && tsx --test test/*.test.ts",
  },
  dependencies: { next: "^16.0.0", react: "^19.2.0", "react-dom": "^19.2.0" },
  devDependencies: {
    "@types/node": "^20.0.0",
    "@types/react": "^19.2.0",
    "@types/react-dom": "^19.2.0",
    tsx: "^4.20.0",
    ...typescript,
  },
  // The options that create-next-app writes.
  compiler: {
    compilerOptions: {
      target: "ES2017",
      lib: ["dom", "dom.iterable", "esnext"],
      allowJs: true,
      skipLibCheck: true,
      strict: true,
      noEmit: true,
      esModuleInterop: true,
      module: "esnext",
      moduleResolution: "bundler",
      resolveJsonModule: true,
      isolatedModules: true,
      jsx: "react-jsx",
      incremental: true,
      plugins: [{ name: "next" }],
      paths: { "@/*": ["./*"] },
    },
    include: ["next-env.d.ts", "**/*.ts", "**/*.tsx", ".next/types/**/*.ts", ".next/dev/types/**/*.ts"],
    exclude: ["node_modules"],
  },
  ignored: ["node_modules/", ".next/", "next-env.d.ts", "*.tsbuildinfo"],
  routes: {
    "app/rpc/[...call]/route.ts": `import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "../../../generated/server";
import { handlers } from "../../../handlers/handlers";

export const POST = fetchHandler(createServer(handlers));
`,
  },
  files: {
    "app/layout.tsx": `import type { ReactNode } from "react";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`,
    "app/page.tsx": `"use client";
import { useState } from "react";
import { greet } from "../generated/client";

export default function Page() {
  const [greeting, setGreeting] = useState("");
  const onClick = async () => {
    setGreeting((await greet({ url: location.origin }, { name: "Ann" })).greeting);
  };
  return <button onClick={onClick}>{greeting || "Greet"}</button>;
}
`,
    "test/Greet.test.ts": memoryTest(""),
  },
};
