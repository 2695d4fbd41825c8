import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { newVaultKey } from '../../cache/vault/vault-key.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { gridFiles } from './grid-files.ts'
import { median, runOnce, type Sample } from './measure.ts'

// `npm run bench -- private [rows] [rounds]`: the same calls for a public and for a private benchmark, whose texts go to
// the vault, in turns.
const [, , , rows = '2000', rounds = '7'] = process.argv
const ACCESSES = ['public', 'private'] as const

const medmake = join(packageRoot(), 'dist/medmake.js')

const runIn = async (access: (typeof ACCESSES)[number], url: string): Promise<Sample> => {
  const cwd = mkdtempSync(join(tmpdir(), 'medmake-private-'))
  try {
    const grid = { benchmarks: 1, models: 1, rows: Number(rows), url, access }
    for (const [path, text] of Object.entries(gridFiles(grid))) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      writeFileSync(join(cwd, path), text)
    }
    return await runOnce(medmake, ['run'], { cwd })
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

process.env['MEDMAKE_VAULT_KEY'] = newVaultKey()
const program = join(dirname(fileURLToPath(import.meta.url)), 'server.js')
const server = spawn(process.execPath, [program, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string]
  const samples = { public: [] as Sample[], private: [] as Sample[] }
  for (let round = 0; round < Number(rounds); round += 1)
    for (const access of round % 2 === 0 ? ACCESSES : ACCESSES.toReversed())
      samples[access].push(await runIn(access, url))
  for (const part of ['cpu', 'seconds'] as const) {
    const [open, closed] = ACCESSES.map((access) => median(samples[access].map((sample) => sample[part])))
    if (open === undefined || closed === undefined) throw new Error('unreachable: both were run')
    process.stdout.write(
      `${part}: public ${open.toFixed(2)} s, private ${closed.toFixed(2)} s: ${((100 * open) / closed).toFixed(1)} % of its pace\n`,
    )
  }
} finally {
  server.kill()
}
