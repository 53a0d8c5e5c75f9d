import type { Cause } from "../world.ts";

/** The FOCUS dataset of commitments, which holds contracts and no charges. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("commitments.csv", "ContractCommitmentId,BillingCurrency\nc-1,USD\n"));

export default cause;
