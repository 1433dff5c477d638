import { rmsNormSubject } from "../../test/subjects.js";
import { sweep } from "../../test/sweep.js";

sweep(rmsNormSubject, [
  { offset: 1 },
  { casting: "llama" },
  { casting: "llama", offset: 1 },
  { epsilon: 0.5, offset: -0.25 },
]);
