import { expect, test } from 'vitest'
import { instances as procedures } from '../../../benchmarks/catalog/mtsamples_procedures/scenario.ts'
import { instances as replicate } from '../../../benchmarks/catalog/mtsamples_replicate/scenario.ts'
import { referenceOf } from '../../../benchmarks/catalog/mtsamples_replicate/sections.ts'
import { scenarioData } from '../../rig/scenario-data.ts'

test.each([
  ['the first section with text on its line', 'PLAN:\nSUMMARY: rest \nFINDINGS: none', 'rest'],
  ['the text between the first heading and the second', 'PLAN: a PLAN: b', 'a'],
  ['a heading within another word', 'TREATMENT PLAN:  ice', 'ice'],
  ['nothing without a heading', 'plan ahead', undefined],
  ['nothing where no heading has text', 'PLAN:\nSUMMARY:  ', undefined],
  [
    'nothing where a heading stands in other letters, whatever else there is',
    'SUMMARY: a\nPlan: b',
    undefined,
  ],
  [
    'nothing for a heading that capitals alone make, as Python makes them',
    'SUMMARY: a\n\ufb01ndings: b',
    undefined,
  ],
  ['a heading in capitals beside one in other letters', 'Plan: a\nPLAN: b', 'b'],
])('A reference is %s.', (_, note, reference) => {
  expect(referenceOf(note)).toBe(reference)
})

const notes = scenarioData({
  folders: { notes: [' Note\r\nSUMMARY: s\r\nFINDINGS: f\r\nPLAN: p\r\nmore ', 'no heading', 'FINDINGS: f'] },
})
const inputs = (loader: typeof procedures) =>
  [...loader(notes)].map(({ input, references }) => [input.text, references[0]?.text])

test('Treatment plans are asked with the summary and the findings in the question.', () => {
  expect(inputs(replicate)).toEqual([
    ['Note\nSUMMARY: s\nFINDINGS: f', 'p'],
    ['FINDINGS: f', 'f'],
  ])
})

test('Procedures are asked with what stands before the first section.', () => {
  expect(inputs(procedures)).toEqual([
    ['Note', 'p'],
    ['', 'f'],
  ])
})
