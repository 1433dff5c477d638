import { expect, it } from "vitest";
import { standinEnvironment, standinLibrary } from "./index.js";

it("names the library, and makes Metal the default device", () => {
  const environment = standinEnvironment();
  expect(environment.METILE_METAL_STANDIN).toBe(standinLibrary());
  expect(environment).toMatchObject({ METILE_DEVICE: "metal", METILE_STANDIN_ABORT: "1", METILE_STANDIN_LEAKS: "0" });
  expect(environment).not.toHaveProperty("METILE_STANDIN_MACOS");
});

it("writes options as the library reads them", () => {
  const server = ["node", "a server.js"];
  const options = {
    server,
    system: "14.0",
    failBuffer: { number: 2, code: 11 },
    memoryBytes: 4096,
    abortOnDrop: false,
  };
  expect(standinEnvironment(options)).toMatchObject({
    METILE_STANDIN_SERVER: "node\na server.js",
    METILE_STANDIN_MACOS: "14.0",
    METILE_STANDIN_FAIL_BUFFER: "2:11",
    METILE_STANDIN_MEMORY: "4096",
    METILE_STANDIN_ABORT: "0",
  });
});
