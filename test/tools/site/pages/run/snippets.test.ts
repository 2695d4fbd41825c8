import { expect, test } from 'vitest'
import { SnippetWriter } from '../../../../../tools/site/pages/run/instances/snippets.ts'

const scriptOf = (prompts: readonly string[]): string => {
  const writer = new SnippetWriter()
  for (const prompt of prompts) expect(writer.add(prompt)).toBeUndefined()
  return writer.end()?.script ?? ''
}

test.each([
  ['a word', ['Which drug is right?', 'Which drugs are right?'], ['drug is right?', 'drugs are right?']],
  [
    'a bracket',
    ['Visit note (Cardiology): a', 'Visit note (Neurology): b'],
    ['(Cardiology): a', '(Neurology): b'],
  ],
  ['a quotation mark', ['He said “no” twice', 'He said “yes” twice'], ['“no” twice', '“yes” twice']],
])('snippets leave out what all prompts begin with, but not the start of %s', (_, prompts, snippets) => {
  const script = scriptOf(prompts)
  for (const snippet of snippets)
    expect(script).toContain(
      JSON.stringify(snippet).replaceAll(/[“”]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`),
    )
})
