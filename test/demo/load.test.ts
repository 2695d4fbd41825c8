import { describe, expect, test } from 'vitest'
import { isCorrect } from '../../benchmarks/scenario/instance.ts'
import { loadDemo } from './context.ts'

describe('the demo benchmarks', () => {
  test.each([
    ['demo_clinical_calculations', 72, 1, 'exact_match'],
    ['demo_multiple_choice', 48, 4, 'exact_match'],
    ['demo_patient_summaries', 12, 1, 'jury_score'],
  ])('%s loads %i instances of %i references for %s', async (name, count, references, metric) => {
    const { benchmark, instances } = await loadDemo(name)
    expect(benchmark).toMatchObject({ name, access: 'public', mainMetric: { name: metric, split: 'test' } })
    expect(instances.length).toBe(count)
    for (const instance of instances) {
      expect(instance.split).toBe('test')
      expect(instance.references.length).toBe(references)
      expect(instance.references.filter(isCorrect).length).toBe(1)
    }
  })

  test('answers of calculations stay as written', async () => {
    const { instances } = await loadDemo('demo_clinical_calculations')
    expect(instances.map(({ references }) => references[0]?.text)).toContain('21.0')
  })

  test('the summaries have the overlap judge as their jury', async () => {
    const { benchmark } = await loadDemo('demo_patient_summaries')
    expect(benchmark.jury?.judges.map((judge) => judge.deployment)).toEqual(['baseline/overlap-judge'])
    expect([...(benchmark.jury?.criteria.keys() ?? [])]).toEqual(['accuracy', 'completeness', 'clarity'])
  })
})
