/** Every page of the site: its place in the sidebar, its source, and its path on the site. */

interface SitePage {
  readonly title: string;
  /** From the repository's root. */
  readonly source: string;
  /** Without `.html`. */
  readonly page: string;
}

interface Section {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

export const sections: readonly Section[] = [
  {
    title: "Start",
    pages: [
      { title: "Overview", source: "README.md", page: "index" },
      guide("Why ridlkit", "why"),
      guide("Concepts", "concepts"),
      guide("Works with", "works-with"),
      guide("Comparison", "comparison"),
      guide("One app on three stacks", "apps"),
    ],
  },
  {
    title: "Build",
    pages: [
      guide("New projects", "dev"),
      guide("Write a schema", "schema-language"),
      guide("What the language cannot say", "language-limits"),
      guide("Schemas in YAML", "yaml"),
      guide("Generate code", "generating"),
      guide("Package or copy", "runtime"),
      guide("OpenAPI", "openapi"),
      guide("Handlers", "handlers"),
      guide("The client", "client"),
      guide("TanStack Query", "tanstack-query"),
      guide("Forms and other libraries", "standard-schema"),
      guide("Agents (MCP)", "mcp"),
      guide("Errors", "errors"),
      guide("Streams", "streams"),
      guide("Files", "files"),
      guide("Repeating writes", "idempotency"),
      guide("Caching reads", "caching"),
      guide("Custom templates", "templates"),
    ],
  },
  {
    title: "Quality",
    pages: [
      guide("Check a schema", "checking"),
      guide("Change it safely", "changing-safely"),
      guide("Several versions", "several-versions"),
      guide("Call a server", "calling"),
      guide("Test a server", "testing"),
      guide("Mock and recordings", "mock-and-recordings"),
      guide("The explorer", "explorer"),
      guide("Editors", "editors"),
      guide("Troubleshooting", "troubleshooting"),
      guide("Moving from webrpc-gen", "moving-from-webrpc-gen"),
    ],
  },
  {
    title: "Reference",
    pages: [
      { title: "The language", source: "schema/README.md", page: "language" },
      guide("Commands", "commands"),
      guide("Configuration", "configuration"),
      guide("Meta keys", "meta-keys"),
      guide("Error codes", "codes"),
      guide("Lint rules", "lint-rules"),
      guide("Breaking rules", "breaking-rules"),
      guide("Versions", "versions"),
      { title: "Changelog", source: "CHANGELOG.md", page: "changelog" },
    ],
  },
  {
    title: "The platform",
    pages: [
      guide("Run it", "platform"),
      guide("Deploy it", "deploying"),
      guide("Settings", "settings"),
      guide("Webhooks", "webhooks"),
      { title: "Architecture", source: "ARCHITECTURE.md", page: "architecture" },
    ],
  },
];

function guide(title: string, page: string): SitePage {
  return { title, source: `docs/${page}.md`, page };
}
