import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/** 900 kB of WebAssembly. By itself as what is imported of users: tools/cli/code-cache.ts. */
export const loadSqlite = async (): Promise<Sqlite3Static> => {
  const { default: init } = await import('@sqlite.org/sqlite-wasm')
  return init({ print: () => {}, printErr: () => {} })
}
