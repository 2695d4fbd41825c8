import { METRIC_CATALOG } from '../../targets/metrics/catalog.ts'
import { existsSync } from 'node:fs'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { ParityCase } from './case.ts'
import { compareCase, isEqual, type ParityRow } from './compare.ts'
import { gatedCases } from './gated-cases.ts'
import { memoryDigests } from './memory-digests.ts'
import { publicCases } from './public-cases.ts'
import { statsParity } from './stats/stats-parity.ts'
import { parityTable } from './table.ts'

/**
 * Holds every benchmark against what the real HELM wrote. MEDMAKE_SHARED names the folder of the reference results; it
 * is looked for beside the repository otherwise. With `--stats` it recomputes the stats of HELM's runs instead.
 *
 * @returns the exit code: 0 where all are equal or there is nothing to compare with, 1 on a difference
 */
const main = async (): Promise<number> => {
  const shared = resolve(process.env['MEDMAKE_SHARED'] ?? join(packageRoot(), '..', 'shared'))
  if (!existsSync(join(shared, 'golden')) || !existsSync(join(shared, 'mirror'))) {
    process.stdout.write(
      `Skipped: ${shared} holds no reference results (golden, mirror). MEDMAKE_SHARED names another folder.\n`,
    )
    return 0
  }
  if (process.argv.includes('--stats')) return statsParity(shared, (text) => process.stdout.write(text))
  const work = await mkdtemp(join(tmpdir(), 'medmake-parity-'))
  try {
    await mkdir(join(work, 'mirror'))
    const cases = [...publicCases(shared, join(work, 'mirror')), ...gatedCases(shared)]
    const rows = await compareAll(cases, work)
    process.stdout.write(`${parityTable(rows)}${summary(rows)}\n`)
    return rows.every(isEqual) ? 0 : 1
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const compareAll = async (cases: readonly ParityCase[], work: string): Promise<readonly ParityRow[]> => {
  const context = {
    workspace: work,
    cwd: work,
    dataPath: join(work, 'data'),
    metrics: METRIC_CATALOG,
    fileDigests: memoryDigests(),
    onEvent: () => undefined,
    signal: new AbortController().signal,
  }
  const rows: ParityRow[] = []
  for (const each of cases)
    rows.push(await compareCase(each, context).catch((error: unknown) => failedRow(each, error)))
  return rows
}

/** Data that can't be read is a difference too: HELM read it. */
const failedRow = ({ label, source }: ParityCase, error: unknown): ParityRow => {
  if (!(error instanceof ProblemError)) throw error
  const [problem] = error.problems
  const difference = problem === undefined ? error.message : `${problem.code}: ${problem.message}`
  return { label, source, instances: 0, ids: 0, prompts: 0, samples: { equal: 0, compared: 0 }, difference }
}

const summary = (rows: readonly ParityRow[]): string => {
  const instances = rows.reduce((sum, row) => sum + row.instances, 0)
  const different = rows.filter((row) => !isEqual(row)).length
  return different === 0
    ? `${rows.length} comparisons of ${instances} instances: all equal.`
    : `${different} of ${rows.length} comparisons differ.`
}

// A program of the bundle is a script: it waits for nothing at its top.
void (async () => {
  process.exitCode = await main()
})()
