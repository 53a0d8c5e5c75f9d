/** What the terminal says, and the feet of printed reports. */
export const terminal = {
  "basis.BilledCost": "billed cost, as invoiced",
  "basis.EffectiveCost": "effective cost, prepayments spread",
  "basis.ContractedCost": "contracted cost, before commitments",
  "basis.ListCost": "list cost",

  "print.complete-until": "Bills complete until {{until}} UTC.",
  "print.no-bill": "No bill covers this period.",
  "print.telemetry-coverage": "Telemetry covers {{share}} of the GPU-hours.",
  "print.no-gpu-hours": "The bills of this period state no GPU-hours.",
  "print.set-aside_one": "{{count}} row was set aside and is in no total.",
  "print.set-aside_other": "{{count}} rows were set aside and are in no total.",
  "print.other-currency": "The period also holds amounts in {{currency}}, which are not in these figures.",
  "print.basis": "Cost basis: {{basis}}. Ledger: {{ledger}}.",
  "print.host": "Host",
  "print.mean": "Mean utilisation",
  "print.idle-hours": "Idle hours",
  "print.total": "Total",
  "print.summary": "Summary",
  "print.figure": "Figure",
  "print.figures": "Figures",
  "print.value": "Value",
  "print.note": "Note",
  "print.exact": "Exact",
  "print.exact-of": "{{column}}, exact",
  "print.converted": "{{currency}}, converted",
  "print.hash": "Hash of these figures: {{hash}}.",
  "print.one-page": "GPU Ledger, page 1 of 1",
  "print.basis-currency": "{{basis}}; {{currency}}",
  "print.sample": "Sample company, made up",

  "terminal.posted": "{{file}}: {{format}}, {{rows}} ‹row|rows› read, {{posted}} posted, {{aside}} set aside.",
  "terminal.ready": "{{file}}: {{format}}, {{rows}} ‹row|rows› would be posted, {{aside}} set aside. Preview only, nothing was changed.",
  "terminal.same-as": "{{file}}: the same bytes as {{other}}, counted once.",
  "terminal.same-bytes": "  the same bytes as {{other}}; it names no host itself and is read as the log of another",
  "terminal.unchanged": "{{file}}: already in the ledger, nothing changed.",
  "terminal.manifest": "{{file}}: a manifest. It says which files make up an export.",
  "terminal.older": "{{file}}: an older version of an export that is among the files in a newer one. It was left out.",
  "jobs.by.job": "Job",
  "jobs.by.team": "Team",
  "jobs.by.user": "User",
  "jobs.by.account": "Account",
  "jobs.by.partition": "Partition",
  "jobs.name": "Name",
  "jobs.count": "Jobs",
  "jobs.gpu-hours": "GPU-hours held",
  "jobs.known": "jobs with known GPUs",
  "jobs.utilization": "Utilization",
  "jobs.idle": "Idle",
  "jobs.covered": "in a log",
  "jobs.cost": "Cost",
  "jobs.billed": "in a bill",
  "jobs.total": "Total",
  "jobs.none": "No job held GPUs in this period, as far as imports say.",
  "jobs.of-host": "* The host’s: it has more GPUs than the job held of it.",
  "terminal.no-gpu-series": "{{file}}: {{format}}, read, but it holds no GPU series. Nothing was posted.",
  "terminal.no-rows": "{{file}}: {{format}}, a header without rows. Nothing was posted.",
  "terminal.refused": "{{file}}: refused. {{what}} {{todo}}",
  "terminal.total": "  {{currency}}  billed {{billed}}  effective {{effective}}  contracted {{contracted}}  list {{list}}",
  "terminal.correction": "  corrections by rule, {{currency}}: billed {{billed}}  effective {{effective}}",
  "terminal.set-aside": "  line {{line}}, {{column}} “{{value}}”: expected {{reason}}",
  "terminal.set-aside-more_one": "  and {{count}} more",
  "terminal.set-aside-more_other": "  and {{count}} more",
  "terminal.repair": "  {{repair}}: {{number}}",
  "terminal.devices": "  {{devices}} ‹device|devices›, known {{coverage}} of their time",
  "terminal.undone": "Import {{batch}} is undone; the ledger is as it was without it.",
  "terminal.redone": "Import {{batch}} is back in the ledger.",
  "terminal.batch": "{{batch}}  {{when}}  {{state}}  {{format}}  {{rows}} ‹row|rows›  {{files}}",
  "terminal.batch-posted": "posted",
  "terminal.batch-undone": "undone",
  "terminal.mapping.none": "No column mapping is saved yet.",
  "terminal.mapping.columns_one": "{{count}} column",
  "terminal.mapping.columns_other": "{{count}} columns",
  "terminal.no-batches": "No imports yet.",
  "terminal.no-totals": "No bills yet.",
  "terminal.unknown": "unknown",
  "terminal.month": "Month",
  "terminal.provider": "Provider",
  "terminal.service": "Service",
  "terminal.team": "Team",
  "terminal.currency": "Currency",
  "terminal.rows": "Rows",
  "terminal.rows-stating": "of rows",
  "terminal.sample-made": "The sample company’s ledger is {{file}}.",
  "terminal.sample-missing": "The sample company was not built yet; “npm run build” makes it.",
  "terminal.written": "Written to {{file}}.",
  "terminal.window-hint": "To open the window, run “npm start” where there is a display.",
  "terminal.doctor-version": "GPU Ledger {{version}}, Node {{node}}, SQLite {{sqlite}}",
  "terminal.doctor-reference": "Reference data: {{accelerators}} ‹accelerator|accelerators›, {{instances}} instance ‹type|types›",
  "terminal.doctor-ledger": "Ledger {{file}}: schema {{schema}}, {{batches}} ‹import|imports›, integrity {{integrity}}",
  "terminal.doctor-ok": "ok",
  "terminal.doctor-bad": "damaged",
  "terminal.doctor-zone": "Time zone of this machine: {{zone}}",
  "terminal.unjoined_one": "{{hosts}} is joined to no billed machine, so what it did stands beside no cost. Import the log with --host RESOURCE, or say on Imports, under Hosts, which machine it is.",
  "terminal.unjoined_other": "{{hosts}} are joined to no billed machines, so what they did stands beside no cost. Import the logs with --host RESOURCE, or say on Imports, under Hosts, which machines they are.",
  "terminal.help": `gpu-ledger COMMAND …

  import PATH… --ledger FILE       read bills and GPU logs into a ledger (made if missing)
      --timezone ZONE              zone of logs that state none, such as Europe/Berlin
      --host NAME                  host of logs that state none
      --at TIME                    when the last poll was, for logs without times
      --every SPACING              how far polls lie apart in them: 10, 500ms, 1m
      --columns LIST               columns of an nvidia-smi or dmon log without a header
      --mapping FILE.json          read bills and logs by the column mappings in it, and keep each for its header
      --covers period              the file is all of its account and month: what older imports hold beyond it goes
      --preview                    say what would change, and change nothing
  report ID --ledger FILE --period 2026-09
                                   review, efficiency, commitments, imports, budgets, showback, kpis, selection, monthly, carbon or esg
      --as KIND                    text (default), json, csv, md, html, xlsx or pdf; the last two need --out
      --paper A4|Letter            of a PDF (default A4)
      --basis EffectiveCost        BilledCost, EffectiveCost, ContractedCost or ListCost
      --counter engine-active      what utilisation is held to: utilization, engine-active, sm-active, tensor-active or dram-active
      --currency CODE              where the period holds several
      --in CODE                    all of it converted, every day by its own rate
      --scope DIMENSION=VALUE      narrow to a provider, account, team, service, region, gpuModel or resource
      --out FILE                   write to a file instead
  plan --ledger FILE               what to reserve: usage against dated prices, break-even, risk [--period 2026-09] [--scope …]
      --lookback 7|28|56|91        days of usage to rest on, whole weeks (default 91); --leave-out spot,one-offs,idle
      --quote KIND,MONTHS,…        a price of a GPU: commitment,36,no-upfront,hourly=1.72 [upfront=, monthly=, convertible, on=DAY]; several with ;
      --on-demand PRICE            of a GPU-hour; --lot, --max, --gpus GPUs; --migration COST; --pool KEY; --option ID
      --growth, --decline, --discount, --spot   percent: usage a month, price a year, cost of money, share above the level on spot
      --renewed, --not-netted, --old-prices     what ends is renewed; do not take off what is held; old prices count
      --scenario NAME, --save NAME open a saved scenario, save this one; as a memo: --as pdf|xlsx … --out FILE
  plan scenarios|compare NAME…|terms FILE.csv   list, work out side by side, take over when commitments end
  totals --ledger FILE             exact totals [--period 2026-09] [--by month,provider,service,team] [--in EUR]
  calc [NAME] [--ledger FILE]      calculators; without a name, what there is and which options each takes
  budgets check --ledger FILE      how budgets stand; ends with 3 when one is over
  budgets import PLAN.xlsx|PLAN.csv --ledger FILE   take a plan over (team by month) [--preview] [--currency CODE]
  budgets export --ledger FILE --out FILE write the plan in the same shape
  rates --ledger FILE              the rates between currencies; rates import RATES.csv takes a file over [--base EUR] [--preview]
  reconcile --ledger FILE --period 2026-09   the ledger against the invoices; reconcile import INVOICES.csv takes totals over
  pull aws --ledger FILE --period 2026-09    ask Cost Explorer; says the price first [--yes] [--most REQUESTS]
      --profile NAME               AWS profile of this computer (default: the usual one); no key is kept
      --parts LIST                 costs,commitments,recommendations,forecast (default: all)
      --refresh                    ask again for what the ledger has
  offers [--need KEY=VALUE,…] [--ledger FILE]   rank what can be rented for a need [--tiers 5000,50000]
  prices list [WORDS] [--ledger FILE]   prices that hold, with source and age
  prices import FILE --ledger FILE   take in a price sheet of AWS, Azure, Google or your own [--preview]
  journal --ledger FILE --period 2026-09 --out FILE   the chargeback for the ledger of accounts, as CSV
  esg --ledger FILE --period 2026 --out DIR|FILE.zip   the ESG pack: workbook, CSV and a PDF statement [--scope …]
  emissions import FILE… --ledger FILE      a provider’s own emissions report, held beside your figures [--preview]
  emissions list|undo N|redo N|compare      what was imported; take one out, put it back; why the figures differ [--period …]
  carbon factors import FILE --ledger FILE  take in carbon factors of your own from a CSV file [--preview] [--restate]
  carbon factors list|remove N              what was taken in; take one out again
  carbon actions                            what would emit less, in kg CO2e and money a month [--period 2026-09]
  carbon settings                           [--owned "NAME,…"] [--carbon-price 80 --currency EUR] [--grid nearest|life-cycle]
  stop-plan --ledger FILE --period 2026-09  what the stop rule would have stopped and saved
      --on 08:00-20:00             by the clock instead: off outside these hours [--days 1-5] [--timezone ZONE]
      --for TOOL                   the plan as a script to read and run: aws, azure, gcloud, kubectl or slurm [--out FILE]
  findings --ledger FILE --period 2026-09   what telemetry found: idle machines, leaks, unused tensor cores, oversized cards
  jobs --ledger FILE --period 2026-09       GPUs that Slurm or Kubernetes gave to jobs: GPU-hours held, use and cost meanwhile [--by job|team|user|account|partition]
  cuda-check GPU [--toolkit 12.1] [--driver 535.54] [--built "8.0 9.0+PTX"]   why there is “no kernel image”
  mapping FILE [--ledger FILE]     which column of FILE (of an archive or folder: the first unknown in it) could mean what, as JSON
  mapping list|show NAME --ledger FILE      the column mappings that a ledger keeps, and where each was used last
  mapping export [NAME] --ledger FILE --out FILE   write one or all to a file; mapping import FILE takes them in
  mapping delete NAME --ledger FILE         forget one
  batches --ledger FILE            list the imports
  undo BATCH --ledger FILE         take an import out again
  redo BATCH --ledger FILE         put it back
  sample [--ledger FILE]           the sample company’s ledger and its review
  doctor [--ledger FILE]           check this installation and a ledger

  everywhere: --lang en|zh-CN, --json where the answer is data
  exit: 0 done, 1 refused, 2 wrong use, 3 a budget is over`,
} as const;
