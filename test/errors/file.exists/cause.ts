import { takeSample } from "../../../main/cli/sample.ts";
import { errorOf, type Cause } from "../world.ts";

/** `sample` never writes over a file: it may be the person's own. */
const cause: Cause = ({ folder, file }) => {
  file("dist/sample/sample.gpuledger", "as built");
  return Promise.resolve(errorOf(takeSample(folder, file("mine too.gpuledger", "the person's own"))));
};

export default cause;
