import { describe, expect, test } from 'vitest'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import type { CiReport } from '../../../tools/compare/ci-report.ts'
import { ciExit } from '../../../tools/cli/ci/ci-exit.ts'
import { failedExit } from '../../../tools/cli/output/print-problems.ts'
import { createSummary } from '../../../tools/cli/output/progress.ts'
import type { Ended } from '../../../tools/cli/run/build-runs.ts'
import { reportRun } from '../../../tools/cli/run/report-run.ts'
import type { FlagValues } from '../../../tools/cli/verb.ts'

const problem = (exitCode: ExitCode): ProblemError =>
  new ProblemError({ code: 'test/failed', message: 'it failed', remedy: 'Mend it.' }, { exitCode })

test('Of targets that failed a text that must not be sent weighs most, and what is no mistake of the input least', () => {
  const [agreement, input, disk] = [EXIT.dataAgreement, EXIT.badInput, EXIT.incomplete].map(problem)
  expect(failedExit([disk, agreement, input])).toBe(5)
  expect(failedExit([disk, input])).toBe(2)
  expect(failedExit([disk, disk])).toBe(1)
  expect(() => failedExit([disk, new TypeError('ours')])).toThrow('ours')
  expect(failedExit([])).toBeUndefined()
  expect(failedExit([input])).toBe(2)
})

describe('A pull request’s job', () => {
  const compared = { outcome: 'compared' }
  const found = { broken: [], comparison: { result: {} } }
  const exit = (changes: object, allows = false): ExitCode =>
    ciExit(
      {
        pairs: [compared, { outcome: 'new' }],
        judged: [found],
        gate: { verdict: 'held' },
        decidedBy: 'gate',
        ...changes,
      } as unknown as CiReport,
      allows,
    )
  const gate = (verdict: string, decidedBy = 'gate') => ({ gate: { verdict }, decidedBy })
  const lacking = { pairs: [compared, { outcome: 'base not built' }] }

  test.each([
    ['held the gate', {}, 0],
    ['regressed by the gate', gate('regressed'), 3],
    ['regressed, but clauses decide', gate('regressed', 'clauses'), 0],
    ['broke a clause', { ...gate('held', 'clauses'), judged: [found, { ...found, broken: ['any'] }] }, 3],
    ['regressed and lacks a pair', { ...gate('regressed'), ...lacking }, 3],
    ['broke a clause and lacks a pair', { judged: [{ ...found, broken: ['any'] }], ...lacking }, 3],
    ['has a pair that was not compared', lacking, 1],
    ['has an incomplete pair', { pairs: [{ outcome: 'incomplete' }] }, 1],
    [
      'has a pair without a common instance',
      { judged: [found, { broken: [], comparison: { result: null } }] },
      1,
    ],
    ['is open and lacks a pair', { ...gate('inconclusive'), ...lacking }, 1],
    ['is open', gate('inconclusive'), 6],
    ['is open, but clauses decide', gate('inconclusive', 'clauses'), 0],
  ])('that %s', (_, changes, code) => {
    expect(exit(changes)).toBe(code)
  })

  test('may be open where that is allowed, and nothing else may', () => {
    expect(exit(gate('inconclusive'), true)).toBe(0)
    expect(exit(gate('regressed'), true)).toBe(3)
    expect(exit(lacking, true)).toBe(1)
  })
})

describe('A run', () => {
  const ended: Ended = {
    fresh: [],
    built: ['a'],
    incomplete: [],
    failed: [],
    total: 1,
    causes: new Map(),
    missing: new Map(),
    omitted: new Map(),
    skipped: new Map(),
    drift: new Map(),
  }
  const report = (
    changes: Partial<Ended>,
    { flags = {}, signal }: { flags?: FlagValues; signal?: 'interrupt' | 'suspend' } = {},
  ) => {
    const [printed, warned]: [string[], string[]] = [[], []]
    const code = reportRun(
      { ...ended, ...changes },
      {
        invocation: {
          flags,
          print: (text: string) => void printed.push(text),
          warn: (text: string) => void warned.push(text),
          leftOut: [],
        } as never,
        summary: createSummary(),
        stopper: { interrupted: () => signal !== undefined, suspended: () => signal === 'suspend' } as never,
      },
    )
    return { code, printed: printed.join('\n'), warned: warned.join('\n') }
  }
  const waiting = [{ id: 'batch_1', deployment: 'a/m', requests: 3, sent: '2026-01-01T00:00:00.000Z' }]
  const allowed = { flags: { allowFailures: true } }

  test('ends with 0 where all was built, and with 1 where something is incomplete, unless that is allowed', () => {
    expect(report({}).code).toBe(0)
    expect(report({ incomplete: ['a'] }).code).toBe(1)
    expect(report({ incomplete: ['a'] }, allowed).code).toBe(0)
  })

  test('ends with what its failed targets say, allowed or not', () => {
    expect(report({ failed: [problem(EXIT.dataAgreement)], incomplete: ['a'] }, allowed).code).toBe(5)
    expect(report({ failed: [problem(EXIT.badInput)] }, allowed)).toMatchObject({
      code: 2,
      warned: expect.stringContaining('it failed [test/failed]') as string,
    })
    expect(() => report({ failed: [problem(EXIT.badInput), new TypeError('ours')] })).toThrow('ours')
  })

  test('whose batches are under way is incomplete', () => {
    expect(report({ waiting, incomplete: ['a'] }, allowed).code).toBe(1)
  })

  test('that was interrupted says so before all else, and one that a scheduler suspends is to be gone on with', () => {
    expect(report({ failed: [problem(EXIT.badInput)] }, { signal: 'interrupt' }).code).toBe(130)
    expect(report({ incomplete: ['a'] }, { signal: 'suspend' }).code).toBe(75)
  })

  test('counts its targets, and says of ten what is less than it seems', () => {
    const causes = new Map(
      Array.from({ length: 12 }, (_, n) => [`run-${String(n).padStart(2, '0')}`, { refused: n + 1 }]),
    )
    const { printed } = report({
      causes,
      fresh: ['x', 'y'],
      total: 5,
      incomplete: ['i'],
      failed: [problem(2)],
    })
    const lines = printed.split('\n')
    expect(lines[0]).toBe(
      '5 targets: 2 fresh, 1 built, 1 incomplete, 1 failed, 0 stage results executed, 0 provider calls',
    )
    expect(lines.slice(1, 11).map((line) => line.slice(0, 6))).toEqual(
      Array.from({ length: 10 }, (_, n) => `run-0${n}`),
    )
    expect(lines.slice(11)).toEqual(['and 2 more: see `medmake report`'])
    expect(report({}).printed).toBe('1 target: 0 fresh, 1 built, 0 stage results executed, 0 provider calls')
  })
})
