import type { Cause } from "../world.ts";

/** The FOCUS dataset of invoice details, which says what was invoiced and holds no charges of use. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("invoices.csv", "InvoiceDetailId,BillingCurrency\nd-1,USD\n"));

export default cause;
