// Does this better-sqlite3 answer? Arguments: its folder, and the addon built for it.
const [folder, nativeBinding] = process.argv.slice(2);
const Database = require(folder);
const { answer } = new Database(":memory:", { nativeBinding }).prepare("SELECT 40 + 2 AS answer").get();
process.exit(answer === 42 ? 0 : 1);
