import { describe, expect, test } from 'vitest'
import { ProblemError } from '../../../../cache/problems/problem.ts'
import type { Event } from '../../../../targets/event.ts'
import type { RunFailure } from '../../../../targets/record/record.ts'
import type { TargetPlan } from '../../../../targets/scheduler/plan-target.ts'
import { localDate } from '../../../../tools/cli/common/command-of.ts'
import { planJson, planText } from '../../../../tools/cli/common/plan.ts'
import { createSummary } from '../../../../tools/cli/output/progress.ts'
import type { Ended } from '../../../../tools/cli/run/build-runs.ts'
import { reportRun } from '../../../../tools/cli/run/report-run.ts'
import type { FlagValues } from '../../../../tools/cli/verb.ts'

interface Report {
  readonly ended?: Partial<Ended>
  readonly flags?: FlagValues
  readonly events?: readonly Event[]
  readonly leftOut?: readonly string[]
}

const report = ({ ended, flags = {}, events = [], leftOut = [] }: Report = {}) => {
  const [printed, warned]: [string[], string[]] = [[], []]
  const summary = createSummary()
  for (const event of events) summary.on(event)
  const none = { fresh: [], built: [], incomplete: [], failed: [], total: 1 }
  const maps = {
    causes: new Map(),
    missing: new Map(),
    omitted: new Map(),
    skipped: new Map(),
    drift: new Map(),
  }
  const code = reportRun({ ...none, ...maps, ...ended }, {
    invocation: {
      flags,
      leftOut,
      print: (text: string) => printed.push(text),
      warn: (text: string) => warned.push(text),
    },
    summary,
    stopper: { interrupted: () => false },
  } as unknown as Parameters<typeof reportRun>[1])
  return { code, printed: printed.join('\n'), warned: warned.join('\n') }
}

const failed = (target: string, instance: string, code = 'models/no-answer'): Event => ({
  type: 'instance-failed',
  target,
  instance,
  stage: 'completions',
  code,
  detail: 'it said nothing',
})
const lost = (instance: string, detail: string): RunFailure => ({
  instance,
  trial: 0,
  stage: 'metrics',
  code: 'metrics/none',
  detail,
  retriable: false,
})
const call = (usd: number | null): Event => ({ type: 'provider-call', target: 't', deployment: 'a/m', usd })
const reused = (usd: number | null): Event => ({ type: 'replies-reused', target: 't', replies: 2, usd })
const waiting = [{ id: 'b1', deployment: 'a/m', requests: 3, sent: '2026-04-05' }]

describe('A run tells', () => {
  test('what it counted and what was paid; nothing of money where nobody was.', () => {
    const counted = { fresh: ['a'], built: ['b', 'c'], incomplete: ['d'], total: 4 }
    expect(report({ ended: counted }).printed).toBe(
      '4 targets: 1 fresh, 2 built, 1 incomplete, 0 stage results executed, 0 provider calls',
    )
    const [head, money] = report({ events: [call(0.25), call(null), reused(0.5)] }).printed.split('\n')
    expect(head).toBe('1 target: 0 fresh, 0 built, 0 stage results executed, 2 provider calls')
    expect(money).toBe('0.25 USD spent, and 1 call of unknown cost, 0.50 USD saved by the cache')
    expect(report({ events: [reused(null)] }).printed).not.toContain('USD')
    const uncertain = (usd: number | null): Event => ({ type: 'call-uncertain', target: 't', usd })
    expect(report({ events: [uncertain(0.1)] }).printed).toContain(
      '1 attempt without a reply may have cost 0.10 USD more',
    )
    expect(report({ events: [uncertain(null), uncertain(0.1)] }).printed).toContain(
      '2 attempts without a reply may have cost an unknown amount more',
    )
  })

  test('of each incomplete run its own failures, and of whole ones what is missing, by cause.', () => {
    const events = [failed('a', 'i1'), failed('a', 'i2')]
    const missing = new Map([
      ['b', [lost('i3', 'it is no letter')]],
      ['c', [lost('i4', 'it is empty'), lost('i5', 'it is no number'), lost('i6', 'it is no number')]],
      // Where each says something else, what they share is their code.
      ['d', ['1', '2', '3', '4'].map((at) => lost(`i${at}`, `unread at ${at}`))],
      ['e', ['1', '2', '3', '4'].map((at) => ({ ...lost(`i${at}`, 'it is empty'), code: `metrics/${at}` }))],
    ])
    const { warned } = report({ ended: { incomplete: ['a'], missing }, events })
    expect(warned.split('\n')).toEqual([
      'incomplete: a: 2 failed, first i1: models/no-answer it said nothing',
      'Run again to try only the failed ones, or add --allow-failures to accept them.',
      'b: 1 value is missing, first of i3: it is no letter [metrics/none]',
      'c: 2 values are missing, first of i5: it is no number [metrics/none]',
      'c: 1 value is missing, first of i4: it is empty [metrics/none]',
      'd: 4 values are missing, first of i1: unread at 1 [metrics/none]',
      'e: 1 value is missing, first of i1: it is empty [metrics/1]',
      'e: 1 value is missing, first of i2: it is empty [metrics/2]',
      'e: 1 value is missing, first of i3: it is empty [metrics/3]',
      'e: values are missing for other causes, too: see its page of `medmake report`',
    ])
    const accepted = report({ ended: { incomplete: ['a'] }, events, flags: { allowFailures: true } })
    expect(accepted.warned).toMatch(/Run again to try only the failed ones\.$/)
  })

  test('causes of ten runs, by name, and how many more there are.', () => {
    const names = Array.from({ length: 12 }, (_, at) => `run${String(at).padStart(2, '0')}`)
    const causesOf = (own: readonly string[]): readonly string[] => {
      const causes = new Map(own.toReversed().map((name) => [name, { truncated: 1 }]))
      return report({ ended: { causes } }).printed.split('\n').slice(1)
    }
    const told = names.slice(0, 10).map((name) => `${name}: 1 truncated completion`)
    expect(causesOf(names)).toEqual([...told, 'and 2 more: see `medmake report`'])
    expect(causesOf(names.slice(0, 10))).toEqual(told)
  })

  test('by its exit code what is not there yet: failures that were allowed are no fault, answers that come later are.', () => {
    const codeOf = (ended: Partial<Ended>, flags: FlagValues = {}): number => report({ ended, flags }).code
    const allowed = { allowFailures: true }
    expect([codeOf({ built: ['a'] }), codeOf({ incomplete: ['a'] })]).toEqual([0, 1])
    expect(codeOf({ incomplete: ['a'] }, allowed)).toBe(0)
    expect([codeOf({ incomplete: ['a'], waiting }, allowed), codeOf({ waiting })]).toEqual([1, 1])
    const mistake = { code: 'x/y', message: 'it is wrong', remedy: 'Mend it.' }
    const codes = ([1, 2, 5] as const).map((exitCode) =>
      codeOf({ failed: [new ProblemError(mistake, { exitCode })], waiting }, allowed),
    )
    expect(codes).toEqual([1, 2, 5])
  })

  test('programs the same: counts, causes, what is waited for and what was left out.', () => {
    const flags = { json: true }
    const read = (given: Report): unknown => JSON.parse(report({ ...given, flags }).printed)
    const plain = read({ ended: { fresh: ['a'] } })
    expect(plain).toMatchObject({
      targets: { total: 1, fresh: 1, built: 0, incomplete: 0, failed: 0 },
      causes: {},
      skippedRows: {},
    })
    for (const name of ['waiting', 'unknown', 'omitted', 'drift']) expect(plain).not.toHaveProperty(name)
    const causes = new Map([['a', { refused: 2 }]])
    const omitted = new Map([['a', ['no encoder']]])
    expect(
      read({ ended: { incomplete: ['a'], causes, omitted, waiting }, leftOut: ['mine:model=a'] }),
    ).toMatchObject({
      causes: { a: { refused: 2 } },
      omitted: { a: ['no encoder'] },
      waiting,
      unknown: ['mine:model=a'],
    })
    // Of a run that was fresh nothing happened: what its record lacks is told all the same.
    const missing = new Map([
      ['a', [lost('i1', 'told as it happened')]],
      ['b', [lost('i3', 'it is no letter')]],
    ])
    const { retriable: _, trial: __, ...kept } = lost('i3', 'it is no letter')
    const { type: ___, ...told } = failed('a', 'i1')
    expect(read({ ended: { missing }, events: [failed('a', 'i1')] })).toMatchObject({
      failures: [told, { target: 'b', ...kept }],
    })
    expect(report({ leftOut: ['mine:model=a'] }).warned).toContain('mine:model=a')
    const overran = { type: 'call-overran', target: 't', deployment: 'a/m', usd: 0.5 } as const
    const impossible = { type: 'usage-impossible', target: 't', deployment: 'a/m' } as const
    expect(read({ events: [call(1), reused(2), reused(null), overran, overran, impossible] })).toMatchObject({
      usd: 1,
      usdSaved: null,
      overruns: 2,
      usdOverrun: 1,
      impossibleUsages: 1,
    })
    expect(read({ events: [call(null), reused(2)] })).toMatchObject({ usd: null, usdSaved: 2 })
    for (const name of ['overruns', 'impossibleUsages']) expect(plain).not.toHaveProperty(name)
  })
})

test('A plan counts the calls of all targets, and of each stage what would run of how much.', () => {
  const planOf = (name: string, fresh: boolean, calls: number): TargetPlan => {
    const stage = { execute: 2, cached: 3 }
    const stages = {
      instances: { execute: 0, cached: 1 },
      prompts: stage,
      completions: stage,
      annotations: stage,
      metrics: stage,
    }
    return { target: { spec: { name } }, fresh, calls, stages } as unknown as TargetPlan
  }
  const plans = [planOf('a', false, 4), planOf('b', true, 0), planOf('c', false, 3)]
  const stages = 'instances 0/1, prompts 2/5, completions 2/5, annotations 2/5, metrics 2/5'
  expect(planText(plans)).toBe(
    [
      `a\n  would run: ${stages}; 4 calls`,
      `c\n  would run: ${stages}; 3 calls`,
      '3 targets: 1 fresh, 2 to build, at most 7 provider calls',
    ].join('\n'),
  )
  expect(planJson(plans)).toMatchObject({ calls: 7, targets: [{ calls: 4 }, { fresh: true }, { calls: 3 }] })
})

test('A date is the calendar’s of this machine, of two digits each.', () => {
  expect(localDate(new Date(2026, 0, 5, 0, 30))).toBe('2026-01-05')
  expect(localDate(new Date(2026, 11, 31, 23, 30))).toBe('2026-12-31')
})

test('Beside a batch that is waited for it says why answers of one could not be had', () => {
  const ended = {
    incomplete: ['a', 'b'],
    waiting,
  }
  const later = failed('a', 'id1', 'batch/waiting')
  const alone = report({ ended, events: [later] }).warned
  expect(alone).toContain('waiting: batch b1')
  expect(alone).not.toContain('incomplete')
  const both = report({ ended, events: [later, failed('b', 'id2')] }).warned
  expect(both).toContain('waiting: batch b1')
  expect(both).toMatch(/incomplete: b: 1 failed, first id2: models\/no-answer it said nothing/)
  expect(both).not.toContain('incomplete: a')
  expect(report({ ended: { incomplete: ['a'] }, events: [later] }).warned).toMatch(
    /incomplete: a: some was not asked\nRun again for the rest\.$/,
  )
})
