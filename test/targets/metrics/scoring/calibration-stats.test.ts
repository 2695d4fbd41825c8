import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { calibrationStats } from '../../../../targets/metrics/scoring/calibration-stats.ts'
import { metricOf } from '../../../../targets/metrics/catalog.ts'
import type { MetricPoint } from '../../../../targets/metrics/metric.ts'
import { StatsAggregator } from '../../../../targets/metrics/scoring/aggregate-run.ts'

interface Case {
  readonly name: string
  readonly probs: readonly number[]
  readonly correct: readonly number[]
  readonly stats: Readonly<Record<string, number>>
  /** Coefficient and intercept where the likelihood peaks. */
  readonly likeliest?: readonly number[]
}

/** Made by HELM 0.5.16 itself, from invented answers. */
const { cases } = JSON.parse(
  readFileSync(new URL('../../../fixtures/metrics/calibration.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly Case[] }

const statsOf = ({ probs, correct }: Pick<Case, 'probs' | 'correct'>) =>
  calibrationStats(probs.map((probability, index) => ({ probability, correct: correct[index] === 1 })))

/** HELM's optimiser stops at a gradient of 1e-4; of the twelve answers it leaves the coefficient 0.014 short. */
const toleranceOf = (name: string): number => (name.startsWith('platt_') ? 2e-3 : 1e-12)

describe('calibration', () => {
  it.each(cases.map((each) => [each.name, each] as const))("of %s equals HELM's", (_, each) => {
    const { points, hasScaling } = statsOf(each)
    const wanted = Object.entries(each.stats).filter(([name]) => hasScaling || !name.startsWith('platt_'))
    expect(points.map(({ name }) => name)).toEqual(wanted.map(([name]) => name))
    for (const [index, [name, value]] of wanted.entries()) {
      const ours = points[index]?.value ?? NaN
      expect(Math.abs(ours - value), name).toBeLessThan(toleranceOf(name) * Math.max(1, Math.abs(value)))
    }
  })

  it.each(
    cases.flatMap((each) => (statsOf(each).hasScaling && each.likeliest ? [[each.name, each] as const] : [])),
  )('of %s is scaled where the likelihood peaks', (_, each) => {
    const { points } = statsOf(each)
    const valueOf = (wanted: string): number => points.find(({ name }) => name === wanted)?.value ?? NaN
    expect(valueOf('platt_coef')).toBeCloseTo(each.likeliest?.[0] ?? NaN, 6)
    expect(valueOf('platt_intercept')).toBeCloseTo(each.likeliest?.[1] ?? NaN, 6)
  })

  it('has no scaling where confidence alone tells right from wrong, or tells nothing', () => {
    const without = cases.filter((each) => !statsOf(each).hasScaling).map(({ name }) => name)
    expect(without).toEqual(['several as sure', 'told apart by confidence', 'all as sure'])
  })

  it('stands in a run after the perplexity, where some log probability is below 0', () => {
    const points = (probability: number, right: number): readonly MetricPoint[] => [
      { name: 'max_prob', value: probability, float: true },
      { name: 'exact_match', value: right, float: false },
      { name: 'logprob', value: Math.log(probability), float: true },
      { name: 'num_perplexity_tokens', value: 1, float: false },
    ]
    const aggregate = (answers: readonly (readonly [number, number])[]) => {
      const run = new StatsAggregator(['basic_generation'].map(metricOf))
      for (const [id, answer] of answers.entries())
        run.add({ instance: { id, split: 'test' }, trainTrialIndex: 0 }, [points(...answer)])
      return run.result()
    }
    const { stats, omitted } = aggregate([
      [0.75, 1],
      [0.5, 0],
      [0.25, 1],
    ])
    const names = stats.filter(({ name }) => name.perturbation === undefined).map(({ name }) => name.name)
    expect(names.slice(4)).toEqual([
      'perplexity',
      'ece_10_bin',
      'ece_1_bin',
      'selective_cov_acc_area',
      'selective_acc@10',
      'platt_coef',
      'platt_intercept',
      'platt_ece_10_bin',
      'platt_ece_1_bin',
    ])
    expect(omitted).toEqual([])
    expect(
      aggregate([
        [0.75, 1],
        [0.5, 0],
      ]).omitted,
    ).toMatchObject([{ names: 'platt_*', context: { split: 'test' } }])
    const certain = aggregate([
      [1, 1],
      [1, 0],
    ])
    expect(certain.stats.some(({ name }) => name.name.includes('ece'))).toBe(false)
  })
})
