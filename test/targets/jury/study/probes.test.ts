import { describe, expect, it } from 'vitest'
import type { Jury } from '../../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../../benchmarks/scenario/instance.ts'
import { goldPrompt, goldReport, readGoldReply } from '../../../../targets/jury/gold-check.ts'
import { probeEffect } from '../../../../targets/jury/probe-effects.ts'
import { alterText, turnCriteria } from '../../../../targets/jury/study/probes.ts'

const instance = { id: 'id1', references: [{ text: 'rest' }] } as unknown as Instance
const ANSWER = 'Take two tablets. Rest for a day.'

describe('probes of judges', () => {
  it('say an answer twice, leave the reference out, or put half of another answer into it', () => {
    const text = { instance, answer: ANSWER }
    expect(alterText('lengthened', text, 'x')?.answer).toBe(`${ANSWER}\n\nIn other words: ${ANSWER}`)
    expect(alterText('withheld', text, 'x')).toEqual({
      instance: { ...instance, references: [] },
      answer: ANSWER,
    })
    const mixed = alterText('corrupted', text, 'Drink water now. Call the office tomorrow.')?.answer
    expect(mixed).toMatch(/^Take two tablets\. ?.*office tomorrow\.$/)
    expect(mixed).not.toContain('a day')
    // Nothing to withhold, and nobody else's half.
    expect(alterText('withheld', { ...text, instance: { ...instance, references: [] } }, 'x')).toBeUndefined()
    expect(alterText('corrupted', text, ANSWER)).toBeUndefined()
  })

  it.each([
    // Blanks at 3, 7 and 13 of 18; at 4 and 9 of 14.
    ['one two three four', 'AAAA BBBB CCCC', 'one two CCCC'],
    // Of two as near the first: 3 and 5 of 8.
    ['abc d ef', 'ABC D EF', 'abc D EF'],
    // A run of blanks is one, where it begins: 2 and 9 of 11.
    ['ab   cdef gh', 'ABCDEFGHIJ', 'ab   cdefFGHIJ'],
    ['abcdefg', 'ABCDEFGH', 'abcdEFGH'],
    ['', 'AB', 'B'],
  ])('cut %j at the blank nearest to its middle', (answer, other, mixed) => {
    expect(alterText('corrupted', { instance, answer }, other)?.answer).toBe(mixed)
    expect(alterText('turned', { instance, answer }, other)).toEqual({ instance, answer })
  })

  it('turn the order of the criteria in the form of the reply and in their description', () => {
    const jury = {
      criteria: new Map([
        ['accuracy', ['score']],
        ['clarity', ['score']],
      ]),
      template:
        'Judge {RESPONSE}.\n\nAccuracy (1-5)\n- Is it right?\n\nClarity (1-5)\n- Is it plain?\n\nReply:\n{"accuracy": {"score": 0}, "clarity": {"score": 0}}\nNo more.',
    } as unknown as Jury
    const turned = turnCriteria(jury)
    expect([...(turned?.criteria ?? [])]).toEqual([
      ['clarity', ['score']],
      ['accuracy', ['score']],
    ])
    const single = new Map([['accuracy', ['score']]])
    expect(turnCriteria({ ...jury, criteria: single })).toBeUndefined()
    const prose = 'Clarity and accuracy.\n\nReply: {"accuracy": 0, "clarity": 1} or {}.'
    expect(turnCriteria({ ...jury, template: prose })?.template).toBe(
      'Clarity and accuracy.\n\nReply: {\n    "clarity": 1,\n    "accuracy": 0\n} or {}.',
    )
    const template = turned?.template ?? ''
    expect(template.indexOf('Clarity (1-5)\n- Is it plain?')).toBeLessThan(template.indexOf('Accuracy (1-5)'))
    expect(template.indexOf('"clarity"')).toBeLessThan(template.indexOf('"accuracy"'))
    expect(template).toContain('Judge {RESPONSE}.')
    // The description may begin the rubric.
    const bare = jury.template.replace('Judge {RESPONSE}.\n\n', '')
    expect(turnCriteria({ ...jury, template: bare })?.template).toMatch(/^Clarity \(1-5\)\n- Is it plain\?/)
    expect(template).toMatch(/\nNo more\.$/)
    // Paragraphs between which something else stands are left where they are.
    const apart = jury.template.replace('\n\nClarity (1-5)', '\n\nMind the tone.\n\nClarity (1-5)')
    expect(turnCriteria({ ...jury, template: apart })?.template).toMatch(
      /Accuracy \(1-5\)[^]*Clarity \(1-5\)/,
    )
    expect(turnCriteria({ ...jury, template: 'Judge {RESPONSE} freely.' })).toBeUndefined()
    // Objects of one criterion, or that name the other in a text alone, are no form of the reply.
    const partly = 'As {"accuracy": 1} or {"clarity": "of \\"accuracy\\""}: '
    expect(turnCriteria({ ...jury, template: `${partly}{"accuracy": 0, "clarity": 1}` })?.template).toBe(
      `${partly}{\n    "clarity": 1,\n    "accuracy": 0\n}`,
    )
    expect(turnCriteria({ ...jury, template: partly })).toBeUndefined()
  })

  it('measure the change in points, with an interval over instances that several models share', () => {
    const of = { benchmark: 'b', probe: 'corrupted', judge: 'j' } as const
    const answers = [4, 5, 3, 4, 5, 4].map((before, index) => ({
      before,
      after: before - 1 - (index % 2),
      source: `i${index}`,
    }))
    const found = probeEffect(of, answers, [1, 5])
    expect(found).toMatchObject({ answers: 6, change: -1.5, rose: 0, fell: 1 })
    // t of 5 degrees of freedom, of changes by 1 and by 2.
    expect(found.interval).toEqual({ low: expect.closeTo(-2.0748, 4), high: expect.closeTo(-0.9252, 4) })
    expect(found.p).toBeLessThan(0.01)
    const shared = probeEffect(
      of,
      answers.map((each, index) => ({ ...each, source: `i${index % 3}` })),
      [1, 5],
    )
    expect(shared.interval?.low).not.toBe(found.interval?.low)
    // Where every answer changes alike the interval still has a width.
    const alike = probeEffect(
      of,
      answers.map((each) => ({ ...each, after: each.before - 1 })),
      [1, 5],
    )
    // Gaffke's, of a quarter of the scale each: 0.025^(1/6) of it, and the rest of the scale either way.
    const kept = 0.025 ** (1 / 6)
    expect(alike.interval).toEqual({
      low: expect.closeTo(-kept - 4 * (1 - kept), 9),
      high: expect.closeTo(-kept + 4 * (1 - kept), 9),
    })
    expect(probeEffect(of, [], [1, 5])).toMatchObject({ answers: 0, change: null, interval: null, p: null })
  })
})

describe('the filter of references', () => {
  it('reads one digit and nothing that argues', () => {
    expect(['1', ' 0\n', '"1"', '0.', 'Score: 1', '10', 'yes', ''].map(readGoldReply)).toEqual([
      true,
      false,
      true,
      false,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(goldPrompt('What helps?', 'Rest.')).toContain('<reference>\nRest.\n</reference>')
  })

  it('ranks the models with and without doubtful references, and keeps what was not read', () => {
    const scores = (...values: readonly number[]): ReadonlyMap<string, number> =>
      new Map(values.map((value, index) => [`i${index}`, value]))
    const found = goldReport(
      { benchmark: 'b', judge: 'j' },
      new Map([
        ['i0', false],
        ['i1', true],
        ['i2', undefined],
      ]),
      [
        { model: 'x', isRanked: true, scores: scores(5, 3, 3) },
        { model: 'y', isRanked: true, scores: scores(1, 4, 4) },
        { model: 'low', isRanked: false, scores: scores(3, 5, 5) },
        { model: 'z', isRanked: true, scores: new Map() },
      ],
    )
    expect(found).toMatchObject({ checked: 3, flagged: ['i0'], unreadable: 1, swaps: [['x', 'y']] })
    expect(
      found.rows.map(({ model, all, kept, flagged }) => [model, all.rank, kept.rank, flagged.mean]),
    ).toEqual([
      ['x', 1, 2, 5],
      ['y', 2, 1, 1],
      ['low', null, null, 3],
      ['z', null, null, null],
    ])
  })
})
