import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../../cache/package-root.ts'
import { ratingRubric, rubricDigest } from '../../../../targets/ratings/rubric/rating-rubric.ts'
import { jurySample } from '../../../../tools/benchmark/new-benchmark.ts'
import { problemOf } from '../../../rig/problem-of.ts'

const CATALOG = join(packageRoot(), 'benchmarks/catalog')
const RUBRICS = readdirSync(CATALOG, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?:judge|rubric)\.txt$/.test(file),
)
const SCALE = { least: 1, most: 5 }

/** Criteria as the reply that the rubric asks for names them. */
const criteriaOf = (template: string): ReadonlyMap<string, readonly string[]> =>
  new Map([...template.matchAll(/^\s*"(\w+)": \{/gm)].map(([, name = '']) => [name, ['score']]))

describe('ratingRubric', () => {
  it.each(RUBRICS)('finds every criterion of %s with its own words', (file) => {
    const template = readFileSync(join(CATALOG, file), 'utf8')
    const criteria = criteriaOf(template)
    expect(criteria.size).toBeGreaterThan(1)
    const rubric = ratingRubric({ template, criteria, scale: SCALE })
    for (const { text } of rubric.criteria) expect(text.length).toBeGreaterThan(20)
    if (!file.startsWith('demo_')) expect(rubric.ends?.most).toBe('excellent')
  })

  it('has another digest for other words, criteria and either end of the scale', () => {
    const jury = { template: 'Judge {RESPONSE}.', criteria: new Map([['tone', ['score']]]), scale: SCALE }
    const others = [
      jury,
      { ...jury, template: 'Judge it.' },
      { ...jury, criteria: new Map([['brevity', ['score']]]) },
      { ...jury, scale: { least: 0, most: 5 } },
      { ...jury, scale: { least: 1, most: 6 } },
    ]
    expect(new Set(others.map(rubricDigest)).size).toBe(others.length)
  })

  it('shows a criterion that the rubric has no line for by its name alone', () => {
    const { criteria, ends } = ratingRubric({
      template: 'Judge {RESPONSE}.',
      criteria: new Map([['plain_words', ['score']]]),
      scale: SCALE,
    })
    expect(criteria).toEqual([{ name: 'plain_words', title: 'plain words', text: '' }])
    expect(ends).toBeUndefined()
    expect(ratingRubric({ template: '', criteria: new Map(), scale: SCALE })).not.toHaveProperty('ends')
  })

  it('asks for the scores that the rubric states, where all its criteria state the same within the declared scale', () => {
    const scaleOf = (heads: readonly string[], scale = { least: 0, most: 5 }) =>
      ratingRubric({
        template: `(1 = poor, 5 = excellent)\n${heads.join('\n')}`,
        criteria: new Map([
          ['accuracy', []],
          ['clarity', []],
        ]),
        scale,
      }).scale
    expect(scaleOf(['Accuracy (1-5)', 'Clarity (1 to 5):'])).toEqual({ least: 1, most: 5 })
    expect(scaleOf(['Accuracy (1-5)', 'Clarity (0-5)'])).toEqual({ least: 0, most: 5 })
    expect(scaleOf(['Accuracy (1-5)', 'Clarity (1-4)'])).toEqual({ least: 0, most: 5 })
    expect(scaleOf(['Accuracy (4-4)', 'Clarity (4-4)'])).toEqual({ least: 0, most: 5 })
    expect(scaleOf(['Accuracy (0-5)', 'Clarity (0-5)'])).toEqual({ least: 0, most: 5 })
    expect(scaleOf(['Accuracy (1-5)', 'Clarity'])).toEqual({ least: 0, most: 5 })
    expect(scaleOf(['Accuracy (1-9)', 'Clarity (1-9)'])).toEqual({ least: 0, most: 5 })
    expect(scaleOf(['Accuracy (1-5)', 'Clarity (1-5)'], { least: 2, most: 5 })).toEqual({ least: 2, most: 5 })
  })

  it('takes a criterion’s title as it is written, and its lines up to the next blank one', () => {
    const { criteria, ends } = ratingRubric({
      template: [
        'Rate by (1 =  very poor , 5 = excellent ).',
        '1. **Medical Accuracy** (1 - 5):',
        '- Facts are right.',
        '  - Doses, too.',
        '  ',
        'Not of any.',
        'Reading-ease (1–5)',
        '',
        'Not of it.',
        'Brevity (1 to 5)',
        'No word too many.',
      ].join('\r\n'),
      criteria: new Map(
        ['medical_accuracy', 'READING_EASE', 'brevity', 'word_too'].map((name) => [name, []]),
      ),
      scale: SCALE,
    })
    expect(criteria).toEqual([
      { name: 'medical_accuracy', title: 'Medical Accuracy', text: 'Facts are right.\nDoses, too.' },
      { name: 'READING_EASE', title: 'Reading-ease', text: '' },
      { name: 'brevity', title: 'Brevity', text: 'No word too many.' },
      { name: 'word_too', title: 'word too', text: '' },
    ])
    expect(ends).toEqual({ least: 'very poor', most: 'excellent' })
  })

  it('takes a criterion and what counts from one line, where none has a line of its own for it', () => {
    const { criteria, scale } = ratingRubric({
      template: [
        'Give "accuracy": {"score": 1}, or accuracy: {RESPONSE}',
        '  - accuracy: nothing contradicts the reference.',
        '    Doses, too.',
        '  - **Plain words** (1-4): a layman: follows.',
        '  - brevity (1-4): short.',
        'Reply with JSON:',
        '"brevity": {"score": 1}',
      ].join('\n'),
      criteria: new Map(['accuracy', 'plain_words', 'brevity'].map((name) => [name, []])),
      scale: SCALE,
    })
    expect(criteria).toEqual([
      { name: 'accuracy', title: 'accuracy', text: 'nothing contradicts the reference.\nDoses, too.' },
      { name: 'plain_words', title: 'Plain words', text: 'a layman: follows.' },
      { name: 'brevity', title: 'brevity', text: 'short.' },
    ])
    // Not all state one.
    expect(scale).toEqual(SCALE)
  })

  it('finds what the rubric of a new benchmark says of its criteria and its ends', () => {
    const { criteria, ends } = ratingRubric({
      template: jurySample,
      criteria: criteriaOf(jurySample),
      scale: SCALE,
    })
    expect(criteria.map(({ name }) => name)).toEqual(['accuracy', 'completeness'])
    for (const { text } of criteria) expect(text).toContain('reference')
    expect(ends).toEqual({ least: 'useless or harmful', most: 'as good as the reference' })
  })

  it('takes a scale of ten steps, wherever it begins', () => {
    for (const scale of [
      { least: 1, most: 10 },
      { least: 11, most: 20 },
      { least: -9, most: 0 },
    ])
      expect(ratingRubric({ template: '', criteria: new Map(), scale }).scale).toEqual(scale)
  })

  it('refuses a scale that has no key for each score', async () => {
    for (const scale of [
      { least: 0, most: 100 },
      { least: 0, most: 10 },
      { least: -5, most: 5 },
      { least: 0, most: 0.5 },
      { least: 0.5, most: 3 },
      { least: 3, most: 3 },
      { least: 5, most: 1 },
    ])
      expect(await problemOf(() => ratingRubric({ template: '', criteria: new Map(), scale }))).toMatchObject(
        {
          code: 'ratings/unfit-scale',
        },
      )
  })
})
