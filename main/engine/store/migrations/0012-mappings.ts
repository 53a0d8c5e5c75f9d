/** Mappings: column mappings kept by name, one a header, with where each was used last. Those that were settings before move here. */
export const mappings = {
  version: 12,
  name: "0012-mappings",
  sql: /* sql */ `
CREATE TABLE column_mapping (
  MappingId  INTEGER PRIMARY KEY,
  Name       TEXT NOT NULL UNIQUE,
  -- The names of the header it was made for, without case, punctuation and order, hashed.
  Header     TEXT NOT NULL UNIQUE,
  -- As JSON: the contract's mapping of a bill, or of a log.
  Mapping    TEXT NOT NULL,
  SavedAt    TEXT,
  LastUsedAt TEXT,
  LastFile   TEXT,
  LastBatch  INTEGER
) STRICT;
-- Of a bill's and a log's mapping for one header the bill's was read by. A name that several have gets a number.
INSERT INTO column_mapping (Name, Header, Mapping)
SELECT CASE WHEN Rank = 1 THEN Name ELSE Name || ' (' || Rank || ')' END, Header, Mapping
FROM (
  SELECT Name, Header, Mapping, row_number() OVER (PARTITION BY Name ORDER BY Header) AS Rank
  FROM (
    SELECT
      coalesce(Value ->> '$.name', '?')                                   AS Name,
      substr(Key, instr(Key, '.') + 1)                                    AS Header,
      Value                                                               AS Mapping,
      row_number() OVER (PARTITION BY substr(Key, instr(Key, '.') + 1) ORDER BY Key) AS Turn
    FROM setting
    WHERE (Key GLOB 'column-mapping.*' OR Key GLOB 'log-mapping.*') AND json_valid(Value)
  )
  WHERE Turn = 1
);
DELETE FROM setting WHERE Key GLOB 'column-mapping.*' OR Key GLOB 'log-mapping.*';
`,
} as const;
