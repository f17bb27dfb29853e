import {defineConfig} from "vite";

// The page is built into server/page, which the program carries inside itself. Names hold a hash of the content, so
// a browser may keep every file for ever; one script and one style, so a first load is three requests.
export default defineConfig({
  base: "/",
  esbuild: {jsx: "automatic", jsxImportSource: "preact", legalComments: "none"},
  build: {
    outDir: process.env.PAGE_OUT ?? "../server/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 4096,
    rollupOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
        inlineDynamicImports: true,
      },
    },
  },
  server: {proxy: Object.fromEntries(["/v1", "/metrics", "/readyz", "/healthz", "/openapi.json"].map(
    path => [path, process.env.SIGNALBOX_URL ?? "http://127.0.0.1:8080"]))},
});
