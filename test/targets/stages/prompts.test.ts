import { expect, test } from 'vitest'
import { chatMessage, type Instance } from '../../../benchmarks/scenario/instance.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Tokenizer } from '../../../models/tokenizers/tokenizer.ts'
import { envFor } from '../../../targets/env/env.ts'
import type { Profile } from '../../../targets/profile.ts'
import { completionOf } from '../../../targets/record/completion.ts'
import { createPromptStage } from '../../../targets/stages/prompts.ts'
import { createReplyReader } from '../../../targets/stages/reply-reader.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'

/** Four characters a token, those that are left one more. */
const FOURS: Tokenizer = {
  faithful: true,
  count: (text) => Math.ceil(text.length / 4),
  head: (text, limit) => text.slice(0, 4 * limit),
  tokens: (text) => text.match(/.{1,4}/gs) ?? [],
}

const open = async (tokenizer: Tokenizer | undefined, profile: Profile) => {
  const run = await madeUpRun(() => textReply(''), { more: { tokenizer: async () => tokenizer, profile } })
  return envFor({ access: 'public' }, run.env)
}

const [plain] = madeUpInstances([['Is it safe?', 'yes']])
const instance = plain as Instance
const chat: Instance = {
  ...instance,
  input: {
    text: '',
    messages: [chatMessage('user', 'Hello'), chatMessage('assistant', 'Hi'), chatMessage('user', 'Safe?')],
  },
}

const promptOf = async (
  own: Instance,
  deployed: Partial<ModelDeployment>,
  {
    tokenizer,
    profile = 'helm-0.5.16',
    train = [],
  }: { tokenizer?: Tokenizer; profile?: Profile; train?: readonly Instance[] } = {},
) => {
  const { spec, deployment } = madeUpTarget({
    instances: [],
    adapter: { method: own.input.messages === undefined ? 'generation' : 'chat' },
  })
  const env = await open(tokenizer, profile)
  const digests = train.map((_, index) => `t${index}` as Digest<'instance'>)
  const stage = createPromptStage(
    spec.adapter,
    { ...deployment, ...deployed },
    { digests, instances: train },
    env,
  )
  const at = { digest: 'i' as Digest<'instance'>, load: () => own }
  const made = await stage.run(at)
  expect(await stage.run(at)).toEqual({ ...made, cached: true })
  return made
}

test.each([
  ['a text', instance, {}, 1],
  ['a text', instance, { tokenizerName: 't' }, null],
  ['a chat', chat, {}, 1],
  ['a chat', chat, { tokenizerName: 't' }, null],
] as const)(
  'Without a tokenizer at hand the tokens of %s are one, or not known where there is one.',
  async (_, own, deployed, tokens) => {
    expect((await promptOf(own, deployed)).prompt.tokens).toBe(tokens)
  },
)

test('A chat’s tokens are those of its messages one by one, where the profile counts them.', async () => {
  const named = { tokenizerName: 't' }
  expect((await promptOf(chat, named, { tokenizer: FOURS })).prompt.tokens).toBe(2 + 1 + 2)
  expect((await promptOf(chat, named, { tokenizer: FOURS, profile: 'medhelm-0.8' })).prompt.tokens).toBe(0)
  // A chat is sent as it is, whatever the window.
  const short = { ...named, maxRequestLength: 2, maxSequenceLength: 2 }
  expect((await promptOf(chat, short, { tokenizer: FOURS })).prompt.truncated).toBe(false)
})

test('The length of a request, where it is stated, cuts a prompt before that of the window.', async () => {
  const named = { tokenizerName: 't', maxSequenceLength: 1000 }
  const whole = await promptOf(instance, named, { tokenizer: FOURS })
  expect(whole.prompt.truncated).toBe(false)
  const cut = await promptOf(instance, { ...named, maxRequestLength: 7 }, { tokenizer: FOURS })
  expect(cut.prompt).toMatchObject({ truncated: true, tokens: 2 })
  // What is cut is never taken for what is not.
  expect(cut.digest).not.toBe(whole.digest)
})

test('Other examples are another prompt.', async () => {
  const first = await promptOf(instance, {})
  const shown = await promptOf(instance, {}, { train: [instance] })
  expect(shown.digest).not.toBe(first.digest)
  expect([first.prompt.numTrainInstances, shown.prompt.numTrainInstances]).toEqual([0, 1])
})

test('What a reply says hangs on all by which it is cut: its stops, and in medhelm-0.8 tokenizer and length.', async () => {
  const { deployment } = madeUpTarget({ instances: [] })
  const completion = completionOf('c' as Digest<'completion'>, {
    key: {},
    reply: textReply('yes'),
    requestTime: 1,
    requestDatetime: 5,
    attempts: 1,
  })
  const contentOf = async (
    profile: Profile,
    stopSequences: readonly string[],
    maxTokens: number,
    name = 't',
  ) => {
    const reader = await createReplyReader(
      { ...deployment, tokenizerName: name },
      { stopSequences: [...stopSequences], maxTokens },
      await open(FOURS, profile),
    )
    return reader.content(completion)
  }
  expect(await contentOf('helm-0.5.16', [], 5)).toBe(completion.content)
  expect(await contentOf('helm-0.5.16', [], 6, 'u')).toBe(completion.content)
  const contents = await Promise.all([
    contentOf('helm-0.5.16', [], 5),
    contentOf('helm-0.5.16', ['\n'], 5),
    contentOf('medhelm-0.8', [], 5),
    contentOf('medhelm-0.8', ['\n'], 5),
    contentOf('medhelm-0.8', [], 6),
    contentOf('medhelm-0.8', [], 5, 'u'),
  ])
  expect(new Set(contents).size).toBe(6)
})

test('A reply ends before the first of its stop sequences, with the tokens that make up what is left and their sum.', async () => {
  const { deployment } = madeUpTarget({ instances: [] })
  const read = async (stopSequences: readonly string[]) => {
    const env = await open(undefined, 'helm-0.5.16')
    const reader = await createReplyReader(deployment, { stopSequences, maxTokens: 9 }, env)
    const tokens = [
      { text: 'Yes', logprob: -0.25 },
      { text: '.', logprob: -0.5 },
      { text: ' No', logprob: -1 },
    ]
    const choice = { text: 'Yes. No', finishReason: 'stop', thinking: 'Hm.', tokens }
    const stored = { key: {}, reply: { choices: [choice] }, requestTime: 1, requestDatetime: 2, attempts: 1 }
    const result = reader.read(completionOf('d' as Digest<'completion'>, stored), false)
    return result.kind === 'done' ? result.value.completions[0] : result
  }
  const [yes, point, no] = [
    { text: 'Yes', logprob: -0.25 },
    { text: '.', logprob: -0.5 },
    { text: ' No', logprob: -1 },
  ]
  expect(await read([])).toEqual({
    text: 'Yes. No',
    logprob: -1.75,
    tokens: [yes, point, no],
    finishReason: 'stop',
    thinking: 'Hm.',
  })
  expect(await read(['.'])).toEqual({ text: 'Yes', logprob: -0.25, tokens: [yes] })
  // The token in which it falls stays; a request with stop sequences has neither reason nor thoughts.
  expect(await read(['N'])).toEqual({ text: 'Yes. ', logprob: -1.75, tokens: [yes, point, no] })
  expect(await read(['o', 'No'])).toEqual({ text: 'Yes. N', logprob: -1.75, tokens: [yes, point, no] })
  expect(await read(['No', '. '])).toEqual({ text: 'Yes', logprob: -0.25, tokens: [yes] })
  expect(await read(['?'])).toEqual({ text: 'Yes. No', logprob: -1.75, tokens: [yes, point, no] })
})
