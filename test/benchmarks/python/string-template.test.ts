import { describe, expect, it } from 'vitest'
import { StringTemplateError, substituteTemplate } from '../../../benchmarks/python/templates/format.ts'
import { fixtureRows, textOf } from '../../rig/fixture.ts'

const values = { QUESTION: 'Q$1', RESPONSE: '{R}', GOLD_RESPONSE: '' }

const errorOf = (template: string): StringTemplateError => {
  try {
    substituteTemplate(template, values)
  } catch (error) {
    if (error instanceof StringTemplateError) return error
    throw error
  }
  throw new Error(`no error: ${template}`)
}

describe('a judge prompt', () => {
  it('is filled as HELM fills it, or refused', () => {
    for (const [template, text, fault] of fixtureRows('python/jury-templates.jsonl')) {
      if (fault === null) expect(substituteTemplate(textOf(template), values)).toBe(text)
      else expect(errorOf(textOf(template)).kind, JSON.stringify(template)).toBe(fault)
    }
  })
  it('takes values as they are', () => {
    const tricky = { ...values, RESPONSE: '$QUESTION {QUESTION} $& $$' }
    expect(substituteTemplate('<{RESPONSE}> costs $$5 {other}', tricky)).toBe(
      `<${tricky.RESPONSE}> costs $5 {other}`,
    )
  })
  it('takes a name in braces behind a dollar, as Python does', () => {
    expect(substituteTemplate('a ${other}s $other', { ...values, other: 'o' })).toBe('a os o')
  })
  it('keeps the literal text where the template writes ${…} itself', () => {
    expect(substituteTemplate('${RESPONSE}', values)).toBe('$RESPONSE')
  })
  it.each([
    ['é {QUESTION}\n{RESPONSE} $ 5', 'invalid-placeholder', 2, 12],
    ['{QUESTION} $5', 'invalid-placeholder', 1, 12],
    ['{QUESTION}abc', 'unknown-name', 1, 1],
    ['\n $toString', 'unknown-name', 2, 2],
  ])('%j is refused as %s at its place', (template, kind, line, column) => {
    expect(errorOf(template)).toMatchObject({ name: 'StringTemplateError', kind, line, column })
  })
})
