export const emissionsViews: readonly string[] = [
  // What providers say today: of a provider and month the layout of the newest report that speaks for it, and in that layout of each
  // payer the newest report. So two exports of the same emissions never add up.
  `CREATE TEMP VIEW emissions_line_current AS
   SELECT
     r.ProviderId, r.FormatId, r.FileName, l.ReportId, l.LineNumber, l.Month, l.PayerId, l.AccountId, l.ServiceName, l.RegionId, l.ModelVersion, l.RefreshedAt,
     l.FirstFileLine, l.RowCount, l.LocationMicrograms, l.MarketMicrograms, l.Scope1Micrograms, l.Scope2LocationMicrograms, l.Scope2MarketMicrograms, l.Scope3Micrograms
   FROM emissions_report r
   JOIN emissions_line l ON l.ReportId = r.ReportId
   WHERE r.State = 'posted'
     AND r.FormatId = (
       SELECT o.FormatId
       FROM emissions_cover c
       JOIN emissions_report o ON o.ReportId = c.ReportId
       WHERE c.Month = l.Month AND o.ProviderId = r.ProviderId AND o.State = 'posted'
       ORDER BY o.ReportId DESC
       LIMIT 1
     )
     AND r.ReportId = (
       SELECT max(o.ReportId)
       FROM emissions_cover c
       JOIN emissions_report o ON o.ReportId = c.ReportId
       WHERE c.Month = l.Month AND c.PayerId IS l.PayerId AND o.ProviderId = r.ProviderId AND o.FormatId = r.FormatId AND o.State = 'posted'
     )`,
];
