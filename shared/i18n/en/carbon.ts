export const carbon = {
  "format.aws-carbon-emissions": "AWS carbon emissions export",
  "format.google-carbon-footprint": "Google Carbon Footprint",
  "format.microsoft-cloud-emissions": "Microsoft cloud emissions",
  "format.azure-carbon-optimization": "Azure carbon optimization",
} as const;
