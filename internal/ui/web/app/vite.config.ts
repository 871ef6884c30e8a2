import { defineConfig } from "vitest/config";

// GNAW is the address of a server to develop against; the mock server has it by default.
const server = process.env["GNAW"] ?? "http://127.0.0.1:4680";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: ["chrome123", "firefox120", "safari17.5"], // the first ones with light-dark()
    modulePreload: { polyfill: false }, // the polyfill would need connect-src for itself, and these browsers do not need it
    assetsInlineLimit: 0, // the policy of the server allows no inline code
    rollupOptions: {
      output: {
        // Names without hashes of the content: a change of the sources changes the content of three files and adds none.
        entryFileNames: "assets/app.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/app[extname]",
      },
    },
  },
  test: { css: true, testTimeout: 120_000 }, // the test of the contrast reads the theme; a machine may do much else
  server: { proxy: { "/api": { target: server, changeOrigin: true } } },
});
