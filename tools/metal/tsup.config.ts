import { library } from "@metile/config/tsup";

export default library({ entry: ["src/index.ts", "src/suites.ts"] });
