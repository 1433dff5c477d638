import { addRmsNormSubject } from "../../test/subjects.js";
import { sweep } from "../../test/sweep.js";

sweep(addRmsNormSubject, [
  { offset: 1 },
  { casting: "llama" },
  { sum: "rounded" },
  { sum: "rounded", casting: "llama", offset: 1 },
  { epsilon: 0.5 },
]);
