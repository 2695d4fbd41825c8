import { describe, expect, test } from 'vitest'
import { isCorrect } from '../../benchmarks/scenario/instance.ts'
import { BASELINES } from '../../models/clients/baseline/client.ts'
import { outputMappingOf, promptText } from '../../targets/adapters/prompt.ts'
import { loadDemo } from './context.ts'

const answersOf = async (name: string, model: string) => {
  const { benchmark, instances } = await loadDemo(name)
  const { adapter } = benchmark
  return instances.map((instance) => ({
    benchmark,
    instance,
    answer: BASELINES.get(model)?.(promptText({ adapter, train: [], instance }), adapter.maxTokens) ?? '',
    mapping: outputMappingOf(adapter, instance),
  }))
}

const exactMatches = async (name: string, model: string): Promise<number> =>
  (await answersOf(name, model)).filter(
    ({ instance, answer, mapping }) =>
      (mapping ? mapping.get(answer) : answer) === instance.references.find(isCorrect)?.text,
  ).length

/** Sum of all scores: 12 notes, 3 criteria, 1 to 5 points each. */
const juryPoints = async (name: string, model: string): Promise<number> => {
  const scores = (await answersOf(name, model)).flatMap(({ benchmark, instance, answer }) => {
    const prompt = (benchmark.jury?.template ?? '')
      .replace('{QUESTION}', () => instance.input.text)
      .replace('{RESPONSE}', () => answer)
      .replace('{GOLD_RESPONSE}', () => instance.references[0]?.text ?? '')
    const judged = JSON.parse(BASELINES.get('overlap-judge')?.(prompt, 4096) ?? '') as Record<
      string,
      { score: number }
    >
    return Object.values(judged).map(({ score }) => score)
  })
  expect(scores.length).toBe(36)
  return scores.reduce((sum, score) => sum + score, 0)
}

// Figures of the demo board: whoever changes a question or a baseline changes what the documentation shows.
describe('the demo board', () => {
  test.each([
    ['random-choice', 11],
    ['first-choice', 12],
    ['lexical-overlap', 14],
    ['lead', 13],
  ])('%s gets %i of 48 questions right', async (model, right) => {
    expect(await exactMatches('demo_multiple_choice', model)).toBe(right)
  })

  test.each([
    ['random-choice', 1],
    ['first-choice', 1],
    ['lexical-overlap', 0],
    ['lead', 0],
  ])('%s gets %i of 72 calculations right', async (model, right) => {
    expect(await exactMatches('demo_clinical_calculations', model)).toBe(right)
  })

  test.each([
    ['random-choice', 36],
    ['first-choice', 51],
    ['lexical-overlap', 46],
    ['lead', 107],
  ])('%s gets %i of 180 points for its summaries', async (model, points) => {
    expect(await juryPoints('demo_patient_summaries', model)).toBe(points)
  })
})
