export const contractViews: readonly string[] = [
  // What is agreed today: of each contract the rows of the newest posted import that holds it. A commitment without a contract stands for itself.
  `CREATE TEMP VIEW contract_commitment_current AS
   SELECT * FROM (
     SELECT
       c.*, f.Name AS FileName, b.PostedOrder,
       max(b.PostedOrder) OVER (PARTITION BY ifnull(c.ContractId, c.ContractCommitmentId)) AS NewestOrder
     FROM batch b
     JOIN contract_commitment c ON c.BatchId = b.BatchId
     JOIN source_file f ON f.FileId = c.FileId
     WHERE b.State = 'posted'
   ) WHERE PostedOrder = NewestOrder`,
];
