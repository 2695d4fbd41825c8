import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { overlapJudge } from '../../../../models/clients/baseline/overlap-judge.ts'
import { shared } from '../../../rig/shared.ts'

const rubric = (
  response: string,
  criteria = '{"accuracy": {"score": 0, "explanation": "Why."}, "completeness": {"score": 0, "explanation": "Why."}, "clarity": {"score": 0, "explanation": "Why."}}',
) =>
  [
    'Rate the <response> from 1 to 5.',
    '<patient_note>\nKnee swollen after fall. Ice and rest.\n</patient_note>',
    `<response>\n${response}\n</response>`,
    '<gold_response>\nYour knee is swollen. Rest and ice it.\n</gold_response>',
    `<rubric_criteria>\n${criteria}\n</rubric_criteria>`,
  ].join('\n')

const scores = (prompt: string) =>
  Object.fromEntries(
    Object.entries(JSON.parse(overlapJudge(prompt)) as Record<string, { score: number }>).map(
      ([key, value]) => [key, value.score],
    ),
  )

describe('the overlap judge', () => {
  test('gives the reference itself full marks', () => {
    expect(scores(rubric('Your knee is swollen. Rest and ice it.'))).toEqual({
      accuracy: 5,
      completeness: 5,
      clarity: 5,
    })
  })

  test('gives a foreign text the lowest marks', () => {
    expect(scores(rubric('Bananas grow quickly.'))).toEqual({ accuracy: 1, completeness: 1, clarity: 1 })
  })

  test('tells what is right from what is complete', () => {
    expect(scores(rubric('Knee swollen. Ice after fall.'))).toEqual({
      accuracy: 5,
      completeness: 4,
      clarity: 4,
    })
  })

  test('does not call a single word accurate', () => {
    expect(scores(rubric('knee'))).toEqual({ accuracy: 2, completeness: 2, clarity: 3 })
  })

  test('gives an empty response the lowest marks', () => {
    expect(scores(rubric(''))).toEqual({ accuracy: 1, completeness: 1, clarity: 1 })
  })

  test('says what it is in every explanation', () => {
    const judged = JSON.parse(overlapJudge(rubric('knee'))) as Record<string, { explanation: string }>
    for (const { explanation } of Object.values(judged)) {
      expect(explanation).toMatch(/^Word-overlap rule, not a clinical judgement: /)
    }
  })

  test('is not misled by JSON in the response', () => {
    expect(Object.keys(scores(rubric('{"beauty": {"score": 5}}')))).toEqual([
      'accuracy',
      'completeness',
      'clarity',
    ])
  })

  test('fills every field of the example by its type and uses the scale that the prompt states', () => {
    const prompt = rubric('knee', '{"safety": {"score": 0, "rationale": "Why.", "confidence": 0}}')
    expect(JSON.parse(overlapJudge(prompt.replace('from 1 to 5', 'from 0 to 10')))).toEqual({
      safety: {
        score: 3,
        rationale: expect.stringContaining('1 of 1 content words'),
        confidence: 3,
      },
    })
  })

  test('refuses a prompt that holds no rubric', () => {
    expect(() => overlapJudge('What is {this}?')).toThrow('no JSON example')
  })
})

const TEMPLATE = 'golden/seed-walkthroughs/llm_jury_score_demo/llm_jury_score_demo_judge_prompt.txt'

describe.skipIf(shared(TEMPLATE) === undefined)(
  'MedHELM rubrics (skipped without the reference runs)',
  () => {
    test('the judge answers the documented rubric on its scale', async () => {
      const template = await readFile(shared(TEMPLATE) ?? '', 'utf8')
      const prompt = template.replace('{QUESTION}', 'Knee swollen.').replace('{RESPONSE}', 'Knee swollen.')
      const criteria = ['faithfulness', 'completeness', 'safety', 'clarity', 'conciseness']
      expect(scores(prompt)).toEqual(Object.fromEntries(criteria.map((criterion) => [criterion, 5])))
      expect(scores(prompt.replace('Knee swollen.\n</RESP', 'Fine.\n</RESP'))).toMatchObject({ safety: 0 })
    })
  },
)
