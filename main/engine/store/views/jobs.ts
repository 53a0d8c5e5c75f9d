export const jobViews: readonly string[] = [
  // Each job as the newest posted import that holds it states it; of lines of one import that hold it twice, the last. A job is known by its
  // cluster, its number and when it began: one that was put back and began anew held GPUs twice.
  `CREATE TEMP VIEW gpu_job_current AS
   SELECT * FROM (
     SELECT
       j.*, f.Name AS FileName,
       row_number() OVER (PARTITION BY j.Source, j.Cluster, j.JobId, j.StartSecond ORDER BY b.PostedOrder DESC, j.FileId DESC, j.Line DESC) AS Place
     FROM batch b
     JOIN gpu_job j ON j.BatchId = b.BatchId
     JOIN source_file f ON f.FileId = j.FileId
     WHERE b.State = 'posted'
   ) WHERE Place = 1`,
];
