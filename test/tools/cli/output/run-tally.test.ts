import { describe, expect, it } from 'vitest'
import type { StageName } from '../../../../targets/event.ts'
import { createRunTally, type OutcomeTally } from '../../../../tools/cli/output/progress.ts'

const results = (tally: OutcomeTally, target: string, stage: StageName, executed: number): void =>
  tally.on({ type: 'stage-results', target, stage, executed, cached: 0 })

const started = (tally: OutcomeTally, target: string, work: number, judgements: number): void =>
  tally.on({ type: 'target-started', target, instances: work, work, judgements })

describe('the line of a run', () => {
  it('counts judgements beside requests, and reckons the time left from both', () => {
    const tally = createRunTally()
    tally.on({ type: 'plan', targets: 2 } as never)
    expect(tally.isWorking()).toBe(false)
    started(tally, 'a', 10, 30)
    started(tally, 'b', 10, 0)
    results(tally, 'a', 'completions', 10)
    results(tally, 'a', 'annotations', 5)
    results(tally, 'b', 'completions', 5)
    results(tally, 'b', 'metrics', 5)
    expect(tally.line(10)).toBe('0/2 targets · 15/20 requests · 5/30 judgements · 2/s · 15 s left · 0 calls')
  })

  it('never has less than nothing left, whatever failed or was done twice', () => {
    const tally = createRunTally()
    tally.on({ type: 'plan', targets: 1 } as never)
    started(tally, 'a', 4, 4)
    results(tally, 'a', 'completions', 9)
    results(tally, 'a', 'annotations', 1)
    expect(tally.line(5)).toContain('4/4 requests · 1/4 judgements · 1/s · 3 s left')
    started(tally, 'a', 4, 4)
    results(tally, 'a', 'completions', 2)
    expect(tally.line(5)).toContain('2/4 requests · 0/4 judgements')
    tally.on({ type: 'target-finished', target: 'a', outcome: 'built', failures: 2 } as never)
    expect(tally.line(5)).toBe('1/1 targets · 4/4 requests · 4/4 judgements · 2/s · 0 calls')
    expect(tally.isWorking()).toBe(false)
  })

  it('has no rate before time has passed', () => {
    const tally = createRunTally()
    started(tally, 'a', 4, 0)
    results(tally, 'a', 'completions', 4)
    expect(tally.line(0)).toContain('4/4 requests · 0/s · 0 calls')
  })
})
