// Calls componentize-js itself: `jco componentize` does not find a world whose dependencies lie below its directory.
import { writeFile } from "node:fs/promises";
import { componentize } from "@bytecodealliance/componentize-js";

const { component } = await componentize({
  sourcePath: "../read_only.js",
  witPath: "wit",
  worldName: "read-only",
  // Nothing grants a policy clocks, randomness or files.
  disableFeatures: ["clocks", "http", "random", "stdio", "fetch-event"],
});
await writeFile("read_only.wasm", component);
