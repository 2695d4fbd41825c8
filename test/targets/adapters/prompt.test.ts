import { describe, expect, it } from 'vitest'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import type { Tokenizer } from '../../../models/tokenizers/tokenizer.ts'
import { fitPrompt } from '../../../targets/stages/prompts.ts'
import {
  completionRequest,
  helmRequest,
  letterPrefix,
  outputMappingOf,
  promptText,
} from '../../../targets/adapters/prompt.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'

const generation: AdapterSpec = { method: 'generation', ...ADAPTER_DEFAULTS }
const choice: AdapterSpec = {
  ...generation,
  method: 'multiple_choice_joint',
  instructions: 'Pick.\n',
  inputPrefix: 'Question: ',
  outputPrefix: 'Answer: ',
}

const instance = (text: string, ...references: readonly [string, boolean][]): Instance => ({
  id: 'id0',
  input: { text },
  references: references.map(([answer, correct]) => ({ text: answer, tags: correct ? ['correct'] : [] })),
  split: 'test',
})

/** One token a character. */
const letters: Tokenizer = {
  faithful: true,
  count: (text) => text.length,
  head: (text, limit) => text.slice(0, limit),
  tokens: (text) => text.split(''),
}

describe('a generation prompt', () => {
  it('joins instructions, examples and the instance; only the last output prefix loses its blanks', () => {
    const adapter = { ...generation, instructions: 'Do it.\n' }
    const train = [instance('q1', ['wrong', false], ['right', true])]
    expect(promptText({ adapter, train, instance: instance('q2') })).toBe(
      'Do it.\n\nInput: q1\nOutput: right\n\nInput: q2\nOutput:',
    )
  })

  it('shows n/a for an example without a right answer and all answers with multi_label', () => {
    const two = instance('q', ['a', true], ['b', true])
    expect(promptText({ adapter: generation, train: [instance('q')], instance: two })).toContain(
      'Output: n/a',
    )
    const adapter = { ...generation, multiLabel: true }
    expect(promptText({ adapter, train: [two], instance: two })).toContain('Output: a, b\n')
  })

  it('wraps everything in global prefix and suffix, then substitutes', () => {
    const adapter = {
      ...generation,
      globalPrefix: '<',
      globalSuffix: '>',
      substitutions: [
        { source: '\n', target: ';' },
        { source: ';O', target: ', o' },
      ],
    }
    // As Python's str.replace: each time it occurs, one after the other.
    expect(promptText({ adapter, train: [], instance: instance('q\nr') })).toBe('<Input: q;r, output:>')
  })
})

it('a request is sent as one message of the user, or as the chat that it is, a sample by its number', () => {
  const adapter = {
    ...generation,
    temperature: float(0.5),
    maxTokens: 7,
    stopSequences: ['\n'],
    numOutputs: 2,
  }
  const sent = {
    messages: [{ role: 'user', content: 'Well?' }],
    temperature: 0.5,
    topP: 1,
    maxTokens: 7,
    stop: ['\n'],
    n: 2,
    sampleIndex: 0,
  }
  expect(completionRequest(helmRequest(adapter, { text: 'Well?' }))).toEqual(sent)
  expect(completionRequest(helmRequest({ ...adapter, random: '3' }, { text: 'Well?' }))).toEqual({
    ...sent,
    sampleIndex: 3,
  })
  const messages = '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hm?"}]'
  expect(completionRequest(helmRequest(adapter, { text: '', messages })).messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hm?' },
  ])
})

describe('a multiple-choice prompt', () => {
  const item = instance('Even?', ['yes', false], ['no', true])

  it('lists the options by letter and maps letters back', () => {
    expect(promptText({ adapter: choice, train: [], instance: item })).toBe(
      'Pick.\n\nQuestion: Even?\nA. yes\nB. no\nAnswer:',
    )
    expect(outputMappingOf(choice, item)).toEqual(
      new Map([
        ['A', 'yes'],
        ['B', 'no'],
      ]),
    )
    expect(promptText({ adapter: choice, train: [item], instance: item })).toContain('Answer: B\n')
  })

  it('counts letters on by code point, past Z, or through given characters', () => {
    expect(letterPrefix(choice, 26).prefix).toBe('[. ')
    expect(letterPrefix({ ...choice, referencePrefix: '(1) ' }, 1).prefix).toBe('(2) ')
    expect(letterPrefix({ ...choice, referencePrefixCharacters: 'XYZ' }, 1).prefix).toBe('Y. ')
    expect(letterPrefix({ ...choice, referencePrefixCharacters: 'XYZ' }, 3).prefix).toBe('A. ')
  })

  it('asks for one completion without stop sequences', () => {
    expect(helmRequest({ ...choice, numOutputs: 5, stopSequences: ['\n'] }, { text: 'p' })).toMatchObject({
      numCompletions: 1,
      topKPerToken: 5,
      stopSequences: [],
    })
  })
})

describe('a window', () => {
  const adapter = { ...generation, maxTokens: 10 }
  const parts = {
    adapter,
    train: [instance('t1', ['a', true]), instance('t2', ['b', true])],
    instance: instance('q'),
  }

  it('drops examples from the end until prompt and answer fit', () => {
    const whole = promptText(parts)
    expect(fitPrompt(parts, { tokenizer: letters, maxRequestLength: whole.length + 10 })).toMatchObject({
      numTrainInstances: 2,
      truncated: false,
    })
    expect(fitPrompt(parts, { tokenizer: letters, maxRequestLength: whole.length + 9 })).toEqual({
      text: 'Input: t1\nOutput: a\n\nInput: q\nOutput:',
      numTrainInstances: 1,
      truncated: false,
    })
  })

  it('cuts the text itself when no example is left', () => {
    expect(fitPrompt(parts, { tokenizer: letters, maxRequestLength: 15 })).toEqual({
      text: 'Input',
      truncated: true,
      numTrainInstances: 0,
    })
  })

  it('sends a text that would be cut to nothing whole, as HELM does', () => {
    expect(fitPrompt({ ...parts, train: [] }, { tokenizer: letters, maxRequestLength: 5 })).toMatchObject({
      text: 'Input: q\nOutput:',
      truncated: true,
    })
  })
})
