import { layerNormSubject } from "../../test/subjects.js";
import { sweep } from "../../test/sweep.js";

sweep(layerNormSubject, [{ epsilon: 1e-6 }, { epsilon: 0.5 }]);
