import { defineConfig } from "@playwright/test";

const { PORT, CHROMIUM = "/usr/bin/chromium" } = process.env;
const baseURL = `http://127.0.0.1:${PORT}`;

export default defineConfig({
  use: { baseURL, launchOptions: { executablePath: CHROMIUM, args: ["--no-sandbox"] } },
  webServer: {
    command: `node ../../../node_modules/vite/bin/vite.js --port ${PORT} --strictPort --host 127.0.0.1`,
    url: baseURL,
  },
});
